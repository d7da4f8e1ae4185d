"""JavaScript that loads a WebAssembly module of an export and calls its functions with numbers.

import { load } from "./arm.mjs"
const arm = await load()
const { tau } = arm.arm_inverse_dynamics(q, v, a)        // with the stored parameters
arm.p[arm.places["link.mass"]] = 2.5                       // from the next call on
"""

import json
import math
from collections.abc import Mapping

from hapsis.compiler.backends.interface import Entry, Interface
from hapsis.compiler.ir.functions.ports import Port

_TEXT = """\
// Functions in WebAssembly, which must lie beside this file: import {{ load }} from "./{stem}.mjs"
//   const model = await load();           also load(bytes) of an ArrayBuffer or Uint8Array
//   model.NAME(input, ...)                an object with a Float64Array for each output; inputs that are
//                                         left out have their default, as the state at the start of a step
//   model.p, model.places                 the parameters, and the place of each by its true name
//   model.stored                          their values at the start
export const FUNCTIONS = {functions};
export const PARAMETERS = {parameters};

const isNumber = (x) => typeof x === "number";

async function bytesOf(file) {{
  const url = new URL(file, import.meta.url);
  if (url.protocol === "file:" && typeof process !== "undefined") {{
    const {{ readFile }} = await import("node:fs/promises");
    return readFile(url);
  }}
  return (await fetch(url)).arrayBuffer();
}}

export async function load(bytes) {{
  const {{ instance }} = await WebAssembly.instantiate(bytes ?? (await bytesOf("./{stem}.wasm")), {{}});
  const {{ memory, heap }} = instance.exports;
  const sizes = Object.values(FUNCTIONS).flatMap((f) => [...f.inputs, ...f.outputs].map((port) => port.size));
  const needed = heap.value + 8 * (PARAMETERS.length + sizes.reduce((sum, size) => sum + size, 0));
  if (needed > memory.buffer.byteLength) {{
    memory.grow(Math.ceil((needed - memory.buffer.byteLength) / 65536));
  }}
  let at = heap.value;
  const place = (size) => {{
    const view = new Float64Array(memory.buffer, at, size);
    at += 8 * size;
    return view;
  }};
  const stored = Float64Array.from(PARAMETERS, (parameter) => parameter.value);
  const p = place(stored.length);
  p.set(stored);
  const places = Object.fromEntries(PARAMETERS.map((parameter, k) => [parameter.name, k]));
  const model = {{ p, places, stored, memory }};
  for (const [name, f] of Object.entries(FUNCTIONS)) {{
    const inputs = f.inputs.map((port) => place(port.size));
    const outputs = f.outputs.map((port) => place(port.size));
    const views = [...inputs, ...(f.parameters ? [p] : []), ...outputs];
    const addresses = views.map((view) => view.byteOffset);
    model[name] = (...values) => {{
      const lacking = f.inputs.some((port, k) => k >= values.length && !port.default);
      if (values.length > inputs.length || lacking) {{
        throw new TypeError(`${{name}} takes ${{f.inputs.map((port) => port.name).join(", ")}}`);
      }}
      inputs.forEach((view, k) => {{
        const value = values[k] === undefined ? f.inputs[k].default : values[k];
        const given = typeof value === "number" ? [value] : value;
        const input = f.inputs[k].name;
        if (!ArrayBuffer.isView(given) && !(Array.isArray(given) && Array.from(given).every(isNumber))) {{
          throw new TypeError(`${{name}}: ${{input}} must be numbers, as a flat array`);
        }}
        if (given.length !== view.length) {{
          throw new TypeError(`${{name}}: ${{input}} has ${{view.length}} numbers, not ${{given.length}}`);
        }}
        view.set(given);
      }});
      instance.exports[name](...addresses);
      return Object.fromEntries(f.outputs.map((port, k) => [port.identifier, outputs[k].slice()]));
    }};
  }}
  return model;
}}
"""


def source(shared: Interface) -> str:
    """The text of a JavaScript module for the WebAssembly module of an export."""
    functions = {entry.name: _ports(entry) for entry in shared.entries}
    parameters = [{"name": name, "value": value} for name, value in shared.parameters.items()]
    return _TEXT.format(stem=shared.stem, functions=_json(functions), parameters=_json(parameters))


def _ports(entry: Entry) -> Mapping[str, object]:
    function = entry.function
    sides = {"inputs": (function.inputs, entry.inputs), "outputs": (function.outputs, entry.outputs)}
    return {
        side: [
            {"name": port.name, "identifier": identifier, "shape": [*port.shape], "size": len(port.refs)}
            | _default(port)
            for port, identifier in zip(ports, identifiers, strict=True)
        ]
        for side, (ports, identifiers) in sides.items()
    } | {"parameters": bool(entry.places)}


def _default(port: Port) -> dict[str, object]:
    """The numbers of an input that may be left out; JavaScript's literals have no others than finite ones."""
    if port.default is None or not all(math.isfinite(x) for x in port.default):
        return {}
    return {"default": [*port.default]}


def _json(value: object) -> str:
    return json.dumps(value, allow_nan=False).replace("<", "\\u003c")
