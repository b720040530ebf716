import {EventEmitter} from 'node:events';
import {PassThrough} from 'node:stream';

const missing = (program: string) =>
	Object.assign(new Error(`spawn ${program} ENOENT`), {
		code: 'ENOENT',
		syscall: `spawn ${program}`,
	});

/** A machine of a world has no other programs. */
export function spawn(program: string) {
	const child = Object.assign(new EventEmitter(), {
		pid: undefined,
		stdin: new PassThrough(),
		stdout: new PassThrough(),
		stderr: new PassThrough(),
		kill: () => false,
		unref: () => undefined,
	});
	setImmediate(() => child.emit('error', missing(program)));
	return child;
}

type Callback = (error: Error, output: string, complaint: string) => void;

const isCallback = (value: unknown): value is Callback => typeof value === 'function';

export function execFile(program: string, ...rest: readonly unknown[]): EventEmitter {
	const done = rest.at(-1);
	const child = spawn(program);
	child.on('error', () => undefined);
	if (isCallback(done)) setImmediate(() => done(missing(program), '', ''));
	return child;
}
