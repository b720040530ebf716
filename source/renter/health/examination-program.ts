import {readFileSync} from 'node:fs';
import {join} from 'node:path';

/** Text of `examination.sh`: `build/programs.ts` puts it into the bundle. */
export const program = readFileSync(join(import.meta.dirname, 'examination.sh'), 'utf8');
