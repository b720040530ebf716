import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {makeFiles} from '../../../source/host/simulated/files.ts';
import {runTreeCommand} from '../../../source/host/inside/tree-commands.ts';

test.each([
	['ls', 'onstart.sh\n'],
	['ls -a', '.bashrc\n.ssh\nonstart.sh\n'],
	['ls /', 'bin\ndata\netc\nroot\ntmp\nusr\nworkspace\n'],
	['ls /workspace/data', 'train.parquet\nvalid.parquet\n'],
	['ls -l /workspace/train.py', '-rw-r--r-- 1 root root        5320 /workspace/train.py\n'],
	["ls '/workspace/../tmp/./'", ''],
	['ls /nowhere', "ls: cannot access '/nowhere': No such file or directory\n"],
	['ls /etc/hosts/x', "ls: cannot access '/etc/hosts/x': No such file or directory\n"],
	['du -sh /workspace', '4.8G\t/workspace\n'],
	['du /etc', '6\t/etc\n'],
	['du -h /nowhere', "du: cannot access '/nowhere': No such file or directory\n"],
	['rm /workspace', "rm: cannot remove '/workspace': Is a directory\n"],
	['rm -r /', "rm: it is dangerous to operate recursively on '/'\n"],
	['rm -r ..', "rm: refusing to remove '.' or '..': '..'\n"],
	['rm /nowhere', "rm: cannot remove '/nowhere': No such file or directory\n"],
	['rm -f /nowhere', ''],
	['cat /etc/passwd', 'cat: command not found\n'],
	['', ': command not found\n'],
])('%j prints what it should', async (line, said) => {
	expect(await runTreeCommand(makeFiles(['/data/own']), line)).toBe(said);
});

test('what is removed is gone, from one container alone', async () => {
	const files = makeFiles();
	const other = makeFiles();
	expect(await runTreeCommand(files, 'rm -rf /workspace/data /workspace/train.py')).toBe('');
	expect(await runTreeCommand(files, 'ls /workspace')).toBe('README.md\nmodels\n');
	expect(await runTreeCommand(other, 'ls /workspace')).toBe('README.md\ndata\nmodels\ntrain.py\n');
});

test('no command line does harm', async () => {
	await fc.assert(
		fc.asyncProperty(fc.constantFrom('ls', 'du', 'rm -rf'), fc.string(), async (name, rest) => {
			expect(await runTreeCommand(makeFiles(), `${name} ${rest}`)).toMatch(/^$|\n$/);
		}),
	);
});
