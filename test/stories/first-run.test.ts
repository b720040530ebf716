import {expect, test} from 'vitest';
import {openHome} from '../helpers/commands/home.ts';
import {agree} from '../helpers/console/pty.ts';

test('someone who has read nothing rents on the practice market, watches it run, and destroys it', async () => {
	using home = openHome();
	await using terminal = home.open();
	await terminal.sees('practice market');
	await terminal.sees('r rents, Enter looks; nothing is charged before you press y.');
	await terminal.sees(/1 of \d/);
	// Three keys: a template is proposed, so that nothing has to be filled in.
	terminal.type('r');
	await terminal.sees(/template +\S.* proposed: recommended here/);
	await terminal.sees('> [ Review and rent ]');
	terminal.type('\r');
	await terminal.sees('disk is charged until you DESTROY it');
	await agree(terminal, 'disk is charged until you DESTROY it');
	await terminal.sees(/Rented: instance 1 for \$0\.\d+\/h/);
	await terminal.sees(/its key: [0-9a-f]{20}/);
	// It is watched by itself, and what it does is told.
	await terminal.sees(/TIMELINE +1 +loading/);
	terminal.type('x');
	await terminal.sees('The instance and its whole disk are deleted for good.');
	await agree(terminal, 'The instance and its whole disk are deleted for good.');
	await terminal.sees('1 is gone. What is left costs $0.00/h.');
	terminal.type('5');
	await terminal.sees(/destroy +1 .*gone/);
	terminal.type('qq');
	expect(await terminal.ends()).toBe(0);
});
