import {expect, test} from 'vitest';
import {
	canLink,
	linked,
	linkIn,
	withLinks,
} from '../../../../source/console/terminal/output/links.ts';
import {createGrid, drawGridLine} from '../../../../source/console/terminal/output/grid.ts';
import {Pen} from '../../../../source/console/terminal/output/pen.ts';

/** What a terminal is sent for a line. */
function sent(line: string): string {
	const grid = createGrid(40, 1);
	drawGridLine(grid, 0, 0, line, 40);
	const pen = new Pen(grid);
	for (let column = 0; column < 40; column++) pen.put(0, column);
	return pen.finish();
}

const page = 'http://203.0.113.7:40123';

test('a line of the program links its addresses, in any looks, and ends each link', () => {
	expect(sent(withLinks(`  ${page}  x`))).toContain(
		`  \u001B]8;;${page}\u001B\\${page}\u001B]8;;\u001B\\  x`,
	);
	const bold = sent(`\u001B[1m${linked('jupyter', page)}\u001B[0m`);
	expect(bold).toContain(`\u001B]8;;${page}\u001B\\`);
	expect(bold.lastIndexOf('\u001B]8;;\u001B\\')).toBeGreaterThan(bold.indexOf('jupyter'));
	// A link at the end of a row, and of the output, is ended as well.
	expect(sent(linked('x'.repeat(40), page)).endsWith('x\u001B]8;;\u001B\\')).toBe(true);
});

test('what a server sends as a link is none, whatever it looks like', () => {
	linked('own', page);
	for (const forged of [
		`\u001B]8;;${page}\u0007evil\u001B]8;;\u0007`,
		`\u001B]8;;${'0'.repeat(16)}1\u0007evil\u001B]8;;\u0007`,
		`\u001B]8;id=1;${page}\u001B\\evil`,
		'\u001B]8;;\u0007evil',
	]) {
		expect(sent(forged)).not.toContain(']8;');
		expect(sent(forged)).toContain('evil');
	}
	expect(linkIn(`\u001B]8;;${'f'.repeat(16)}1\u0007`)).toBe(0);
});

test('an address with other signs than those of an address, or of no page, is plain text', () => {
	for (const address of [
		'http://a\u001B]0;x\u0007',
		'http://a\u009Cb',
		'http://a b',
		'file:///etc/passwd',
		'javascript:alert(1)',
		`http://${'a'.repeat(2000)}`,
		'',
	]) {
		expect(linked('text', address)).toBe('text');
	}
	expect(withLinks('http://203.0.113.7:401…')).toBe('http://203.0.113.7:401…');
	expect(withLinks('no address here')).toBe('no address here');
	const pages = [{text: '203.0.113.7:401', address: 'http://203.0.113.7:401'}];
	expect(withLinks('at 203.0.113.7:40123', pages)).toBe('at 203.0.113.7:40123');
	expect(withLinks('at 203.0.113.7:401', pages)).toContain(']8;;');
});

test.each([
	[{}, false],
	[{TERM: 'xterm-256color'}, false],
	[{TERM: 'xterm-kitty'}, true],
	[{TERM: 'foot'}, true],
	[{TERM_PROGRAM: 'iTerm.app'}, true],
	[{TERM_PROGRAM: 'Apple_Terminal'}, false],
	[{VTE_VERSION: '7200'}, true],
	[{VTE_VERSION: '4803'}, false],
	[{KONSOLE_VERSION: '220400'}, true],
	[{WT_SESSION: 'f00'}, true],
	[{TMUX: '/tmp/x', TERM_PROGRAM: 'tmux', TERM_PROGRAM_VERSION: '3.4'}, true],
	[{TMUX: '/tmp/x', TERM_PROGRAM: 'tmux', TERM_PROGRAM_VERSION: '3.3a'}, false],
	[{TMUX: '/tmp/x', VTE_VERSION: '7200'}, false],
	[{STY: '1.pts', VTE_VERSION: '7200'}, false],
	[{FORCE_HYPERLINK: '1'}, true],
	[{FORCE_HYPERLINK: '0', TERM: 'xterm-kitty'}, false],
])('of %j it is said: links %s', (environment, has) => {
	expect(canLink(environment)).toBe(has);
});
