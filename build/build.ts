/** Builds the program into dist/, quietly: only warnings are worth reading. */
import {copyFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {rolldown} from 'rolldown';
import config from '../rolldown.config.ts';
import {licencesOf} from './licences.ts';
import {importerOf} from './plain-builtins.ts';

const {output, ...input} = config;
if (output === undefined || Array.isArray(output)) throw new TypeError('expected one output');
const bundle = await rolldown(input);
const written = await bundle.write(output);
await bundle.close();
const modules = written.output.flatMap(part =>
	part.type === 'chunk' ? part.moduleIds.map(importerOf) : [],
);
const folder = output.dir ?? 'dist';
writeFileSync(join(folder, 'licences.txt'), licencesOf(modules));
copyFileSync(join(import.meta.dirname, 'any-node.js'), join(folder, 'any-node.js'));
