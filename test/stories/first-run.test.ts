import {expect, test} from 'vitest';
import {openHome} from '../helpers/home.ts';
import type {Pty} from '../helpers/pty.ts';

test('someone who has read nothing rents on the practice market, watches it run, and destroys it', async () => {
	using home = openHome();
	await using terminal = home.open();
	await terminal.sees('PRACTICE no money');
	await terminal.sees('r rents, Enter looks; nothing is charged before you press y.');
	await terminal.sees(/1 of \d/);
	// Three keys: a template is proposed, so that nothing has to be filled in.
	terminal.type('r');
	await terminal.sees(/template +\S.* proposed: recommended here/);
	await terminal.sees('> [ Review and rent ]');
	terminal.type('\r');
	await terminal.sees('disk is charged until you DESTROY it');
	await agree(terminal, /Rented: instance 1 for \$0\.\d+\/h/);
	await terminal.sees('KEY OF INSTANCE 1');
	await agree(terminal, 'Copied through the terminal');
	terminal.type('\u001B');
	// It is watched by itself, and what it does is told.
	await terminal.sees(/TIMELINE +1 +loading/);
	terminal.type('x');
	await terminal.sees('The instance and everything on its disk is deleted for good.');
	await agree(terminal, '1 is gone. What is left costs $0.00/h.');
	terminal.type('5');
	await terminal.sees(/destroy +1 .*gone/);
	terminal.type('qq');
	expect(await terminal.ends()).toBe(0);
});

/** Says yes, again where it was said before the question could have been read. */
async function agree(terminal: Pty, until: string | RegExp): Promise<void> {
	for (let tries = 0; tries < 10; tries++) {
		terminal.type('y');
		const seen = await terminal.sees(until, 2000).catch(() => undefined);
		if (seen !== undefined) return;
	}
	await terminal.sees(until);
}
