// node wasm_steps.mjs FOLDER [MUJOCO]: nanoseconds of our step (FOLDER/step.wasm, step.json) and of mj_step.
//
// Rounds of both take turns, and the shortest counts; code that is optimised while it runs has its time first.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, rival] = process.argv.slice(2);
const table = JSON.parse(readFileSync(`${folder}/step.json`));
const { instance } = await WebAssembly.instantiate(readFileSync(`${folder}/step.wasm`), {});
const { memory, heap, step } = instance.exports;
const sizes = [...table.inputs.map((x) => x.length), table.prepared.length, ...table.outputs];
memory.grow(Math.ceil((8 * sizes.reduce((a, b) => a + b, 0)) / 65536) + 1);
let at = Math.ceil(heap.value / 64) * 64;
const place = (values) => {
  const array = new Float64Array(memory.buffer, at, values.length);
  array.set(values);
  at += 8 * values.length;
  return array;
};
const inputs = table.inputs.map(place);
const prepared = place(table.prepared);
const outputs = table.outputs.map((size) => place(new Array(size).fill(0)));
const addresses = [...inputs, ...(prepared.length ? [prepared] : []), ...outputs].map((x) => x.byteOffset);
step(...addresses);
const result = outputs.map((x) => [...x]);
const calls = { ours: () => step(...addresses) };
let speeds = null;
if (rival && table.rival) {
  const mujoco = await (await import(pathToFileURL(rival).href)).default();
  mujoco.FS.mkdir("/models");
  mujoco.FS.writeFile("/models/robot.xml", table.rival);
  const load = mujoco.MjModel.from_xml_path ?? mujoco.MjModel.loadFromXML;
  const model = load.call(mujoco.MjModel, "/models/robot.xml");
  const data = new mujoco.MjData(model);
  if (table.speeds.length === data.qpos.length) {
    data.qpos.set(table.inputs[0]);
    data.qvel.set(table.speeds);
  }
  mujoco.mj_step(model, data);
  speeds = [...data.qvel];
  calls.rival = () => mujoco.mj_step(model, data);
}

const best = {};
const clock = () => Number(process.hrtime.bigint());
const piece = (call, count) => {
  const start = clock();
  for (let k = 0; k < count; k++) call();
  return (clock() - start) / count;
};
const counts = {};
for (const [name, call] of Object.entries(calls)) {
  const start = clock();
  while (clock() - start < 5e8 * table.budget) call();
  counts[name] = Math.max(1, Math.round(1e6 / piece(call, 20)));
  best[name] = Infinity;
}
const start = clock();
while (clock() - start < 1e9 * table.budget) {
  for (const [name, call] of Object.entries(calls)) best[name] = Math.min(best[name], piece(call, counts[name]));
}
const seconds = (name) => (best[name] === undefined ? null : 1e-9 * best[name]);
console.log(JSON.stringify({ ours: seconds("ours"), rival: seconds("rival"), result, speeds }));
process.exit(0);
