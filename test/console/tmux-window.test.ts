import {expect, test} from 'vitest';
import {tmuxWindow} from '../../source/console/services/outside-program.ts';

test('a program gets a window of its own with its arguments as they are, past every shell', () => {
	const ssh = {program: 'ssh', args: ['-p', '40112', '--', 'root@203.0.113.24', '$(reboot); ls']};
	expect(tmuxWindow('train-c', {...ssh, env: {LANG: 'C'}})).toEqual({
		program: 'tmux',
		args: ['new-window', '-e', 'LANG=C', '-n', 'train-c', '--', 'env', '--', 'ssh', ...ssh.args],
	});
});

test('a label is a name in tmux and no command', () => {
	const {args} = tmuxWindow('#(reboot)\u001B]0;x\u0007#{pane_id}', {program: 'ssh', args: []});
	const name = args[args.indexOf('-n') + 1] ?? '';
	expect(name.replaceAll('##', '')).not.toContain('#');
	// oxlint-disable-next-line no-control-regex -- these are what must not be there
	expect(name).not.toMatch(/[\u0000-\u001F]/);
});
