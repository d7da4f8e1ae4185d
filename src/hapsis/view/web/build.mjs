// Builds what pages run from the sources: node build.mjs [FOLDER]. The results are committed in ../client.
//
// The scene, with three.js, is a script of its own that several pages use: others find it as a global.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2] ?? join(here, "..", "client");
const fromGlobal = {
  name: "scene from the global",
  setup(context) {
    context.onResolve({ filter: /^\.\.?\/scene$/ }, () => ({ path: "scene", namespace: "global" }));
    context.onLoad({ filter: /.*/, namespace: "global" }, () => ({ contents: "module.exports = globalThis.HapsisScene;" }));
  },
};
const entries = {
  worker: { entryPoints: ["src/live/worker.ts"] },
  start: { entryPoints: ["src/live/start.ts"] },
  player: { entryPoints: ["src/player.ts"], plugins: [fromGlobal] },
  share: { entryPoints: ["src/live/main.ts"], plugins: [fromGlobal] },
  scene: { entryPoints: ["src/scene.ts"], globalName: "HapsisScene" },
};

for (const [name, options] of Object.entries(entries)) {
  const result = await build({
    absWorkingDir: here,
    bundle: true,
    format: "iife",
    target: "es2022",
    minify: true,
    charset: "ascii",
    drop: ["console", "debugger"], // a page is quiet
    legalComments: "none", // licences are in ../client/LICENSES.txt
    write: false,
    ...options,
  });
  // strict scripts have variables of their own: the scene says its name to all
  const last = options.globalName ? `globalThis.${options.globalName}=${options.globalName};\n` : "";
  // nothing in a script may look like the end or a comment of the page around it
  const text = result.outputFiles[0].text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
  writeFileSync(join(folder, `${name}.js`), text + last);
}

const { version } = JSON.parse(readFileSync(join(here, "node_modules/three/package.json"), "utf8"));
const licence = readFileSync(join(here, "node_modules/three/LICENSE"), "utf8").trim();
writeFileSync(join(folder, "LICENSES.txt"), `scene.js holds parts of three.js ${version}:\n\n${licence}\n`);
