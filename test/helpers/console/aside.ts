/** A program with the terminal's owner and nothing else: s runs the program of its command line, q leaves. */
import process from 'node:process';
import {createOutsideProgram} from '../../../source/console/services/outside-program.ts';
import {guardTerminal, stopGroup} from '../../../source/console/app/guard.ts';
import {describe, runProgram} from '../../../source/console/app/run-program.ts';
import {openTerminal} from '../../../source/console/terminal/terminal.ts';

const [program = '', ...args] = process.argv.slice(2);
const terminal = openTerminal({
	stdin: process.stdin,
	stdout: process.stdout,
	stop: () => stopGroup(process),
	now: () => performance.now(),
});
const lines = ['here we are'];
const draw = () => terminal.screen.draw(lines.join('\n'));
const aside = createOutsideProgram({
	terminal,
	run: runProgram,
	redraw() {
		terminal.screen.forget();
		draw();
	},
});
guardTerminal({
	interrupts: process,
	terminal,
	onQuit: () => process.exit(9),
	onCrash: () => process.exit(8),
});
terminal.setTitle('rentty');
terminal.onResize(draw);
terminal.onInput(input => {
	if (input.kind !== 'key') return;
	if (input.key === 'q') {
		terminal.close();
		process.exit(0);
	}
	lines.push(`key ${input.key}`);
	draw();
	if (input.key === 's') void step();
});
draw();

async function step(): Promise<void> {
	const ended = await aside({
		program,
		args,
		intro: ['stepping aside', 'for \u001B]0;owned\u0007\u202E'],
		isRead: ({kind, ...how}) => kind === 'ended' && 'code' in how && how.code === 255,
	});
	lines.push(`it ${describe(ended)}`);
	draw();
}
