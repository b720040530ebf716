import process from 'node:process';
import {expect, test} from 'vitest';
import {execInAll, remoteCommand, type ExecLine} from '../../../source/renter/connect/exec.ts';

const shell = {program: 'sh', args: ['-c']};

function execution(command: string, options: {readonly limitMs?: number} = {}) {
	const lines: Array<ExecLine & {readonly id: number}> = [];
	const stopping = new AbortController();
	const targets = [
		{id: 1, command: shell},
		{id: 2, command: {problem: 'it is exited'}},
	];
	const onLine = (id: number, line: ExecLine) => void lines.push({id, ...line});
	const exec = execInAll(targets, command, {
		atOnce: 2,
		signal: stopping.signal,
		onLine,
		...options,
	});
	return {exec, lines, stop: () => stopping.abort()};
}

test('a command ends with its exit code and its lines, those of progress as they were last', async () => {
	const {exec, lines} = execution(
		String.raw`printf 'one\r\n10%%\r100%%\nrest'; echo oh >&2; exit 3`,
	);
	const [first, second] = await exec.done;
	expect(first).toMatchObject({id: 1, state: 'ended', exitCode: 3, count: 4});
	const out = lines.filter(({isError}) => !isError).map(({text}) => text);
	expect(out).toEqual(['one', '100%', 'rest']);
	expect(lines.find(({isError}) => isError)?.text).toBe('oh');
	expect(second).toMatchObject({id: 2, state: 'failed', problem: 'it is exited'});
});

test('where ssh fails itself, its last words are the reason', async () => {
	const [row] = await execution('echo "Permission denied (publickey)." >&2; exit 255').exec.done;
	expect(row).toMatchObject({state: 'failed', problem: 'Permission denied (publickey).'});
});

test('a command that is too long for the machine says so of each, and ends nothing else', async () => {
	const [row, other] = await execution('x'.repeat(3_000_000)).exec.done;
	const problem = 'the command is longer than this machine gives to a program';
	expect(row).toMatchObject({state: 'failed', problem});
	expect(other).toMatchObject({state: 'failed', problem: 'it is exited'});
});

test('a command that takes too long, or is stopped, says so', async () => {
	const [late] = await execution('exec sleep 60', {limitMs: 50}).exec.done;
	expect(late).toMatchObject({state: 'failed', problem: 'stopped after 0.05 s'});
	const {exec, stop} = execution('exec sleep 60');
	stop();
	expect((await exec.done)[0]).toMatchObject({state: 'failed', problem: 'stopped'});
});

test('a command ends when ssh does, though what ssh has started goes on and keeps its output open', async () => {
	const {exec, lines} = execution('sleep 60 & echo $!; exit 3');
	const [row] = await exec.done;
	process.kill(Number(lines[0]?.text));
	expect(row).toMatchObject({state: 'ended', exitCode: 3, count: 1});
});

test('of many lines the last are kept, and all are counted', async () => {
	const [row] = await execution('seq 1 30000').exec.done;
	expect(row?.count).toBe(30_000);
	expect(row?.lines.at(-1)?.text).toBe('30000');
	expect(row?.lines.length).toBeLessThanOrEqual(11_000);
});

test('one word is a line for a shell, several reach the program as they are', () => {
	expect(remoteCommand(['nvidia-smi -L | head'])).toBe('nvidia-smi -L | head');
	expect(remoteCommand(['sh', '-c', "echo 'a b'"])).toBe(String.raw`sh -c 'echo '\''a b'\'''`);
});
