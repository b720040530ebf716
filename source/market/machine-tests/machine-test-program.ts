import {readFileSync} from 'node:fs';
import {join} from 'node:path';

const textOf = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8');

/** The text of both Python files: `build/programs.ts` puts it into the bundle. */
export const program = `${textOf('gpu-proof.py')}\n${textOf('machine-test.py')}`;
