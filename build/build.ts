/** Builds the program into dist/, quietly: only warnings are worth reading. */
import {rolldown} from 'rolldown';
import config from '../rolldown.config.ts';

const {output, ...input} = config;
if (output === undefined || Array.isArray(output)) throw new TypeError('expected one output');
const bundle = await rolldown(input);
await bundle.write(output);
await bundle.close();
