import {expect, test} from 'vitest';
import {belowLine, messageLine, wholeText} from '../../../source/console/ui/message.ts';
import {createTheme} from '../../../source/console/ui/theme.ts';

const theme = createTheme({LANG: 'C.UTF-8'});
const name = 'a\nrentty: b\u001B[45m\u{E0041}c';

test('a name makes no line of its own at the foot of the screen, and has no look of its own', () => {
	const message = {text: `${name} is stuck.`, isError: false};
	expect(messageLine(theme, 60, message).trimEnd()).toBe('a rentty: b�[45m�c is stuck.');
	expect(belowLine(60, message)).toBeUndefined();
});

test('a text by itself has only what can be seen, below the message and where it needs the screen', () => {
	const message = {text: `Copied from ${name}, which is long.`, isError: false, below: name};
	expect(messageLine(theme, 20, message)).toBe('Copied from a rentt…');
	expect(belowLine(30, message)?.trimEnd()).toBe('a rentty: b�[45m�c');
	expect(wholeText(10, message)).toBe('a rentty: b�[45m�c');
});
