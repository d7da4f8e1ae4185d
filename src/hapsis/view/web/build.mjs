// Builds what pages run from the sources: node build.mjs [FOLDER]. The results are committed in ../client.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2] ?? join(here, "..", "client");
const entries = { worker: "src/worker.ts", share: "src/main.ts" };

for (const [name, source] of Object.entries(entries)) {
  if (!existsSync(join(here, source))) continue;
  await build({
    absWorkingDir: here,
    entryPoints: [source],
    outfile: join(folder, `${name}.js`),
    bundle: true,
    format: "iife",
    target: "es2022",
    minify: true,
    charset: "ascii",
    legalComments: "none", // licences are in ../client/LICENSES
  });
}
