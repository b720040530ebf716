import {expect, test} from 'vitest';
import {headerLine, noPulse, tabsLine, titleWithFacts} from '../../../source/console/ui/chrome.ts';
import {noFleetTexts} from '../../../source/renter/fleet/fleet-texts.ts';
import {createTheme} from '../../../source/console/ui/theme.ts';

const theme = createTheme({NO_COLOR: '1', LANG: 'C'});

const tabs = (instances: string) => [
	{key: '1', title: 'Offers', short: 'Off'},
	{key: '2', title: `Instances${instances}`, short: `Inst${instances}`},
	{key: '3', title: 'Templates', short: 'Tmpl'},
	{key: '4', title: 'Keys', short: 'Keys'},
	{key: '5', title: 'Activity', short: 'Act'},
	{key: '6', title: 'Profiles', short: 'Prof'},
];

const line = (width: number, instances: string, active: number) =>
	// oxlint-disable-next-line no-control-regex -- only what is written is compared
	tabsLine(theme, width, tabs(instances), active).replaceAll(/\u001B\[[\d;]*m/g, '');

test('tabs stand apart where there is room, closer where troubles are counted, and in short where it is narrow', () => {
	const ends = {'': ' 6 Profiles', ' 12!': ' 6 Profiles'};
	for (const [instances, end] of Object.entries(ends)) {
		for (const active of [0, 1, 4]) {
			const written = line(80, instances, active);
			expect(written).toHaveLength(80);
			expect(written.trimEnd().endsWith(end)).toBe(true);
		}
	}
	expect(line(80, '', 5).trimEnd()).toMatch(/\[6 Profiles\]$/);
	expect(line(48, ' 12!', 0).trimEnd()).toBe('[1 Off] 2 Inst 12! 3 Tmpl 4 Keys 5 Act 6 Prof');
});

test('of facts beside a name none is cut off, however narrow it is', () => {
	const name = 'Instances > 2 a-long-label-of-a-run';
	const title = {name, facts: ['running', '$1.745/h', '$0.0271 so far'], right: 'as of 12:41'};
	const shown = (width: number) => titleWithFacts(width, title);
	expect(shown(100).split(/ {2,}/)).toEqual([
		name,
		'running',
		'$1.745/h',
		'$0.0271 so far',
		'as of 12:41',
	]);
	expect(shown(70)).toBe('Instances > 2 a-long-l…  running  $1.745/h  $0.0271 so far as of 12:41');
	expect(shown(60)).toMatch(/^Instances > 2 a-long-label-o…  running  \$1\.745\/h as of 12:41$/);
	for (let width = 20; width < 100; width++) {
		expect(shown(width)).toContain('running');
		const cut = (shown(width).match(/\$\S*(?: so.*)?/g) ?? []).filter(
			amount => !['$1.745/h', '$0.0271 so far'].some(whole => amount.startsWith(whole)),
		);
		expect(cut).toEqual([]);
	}
});

test('on a slow line the header says so, and nothing that is another number after each answer', () => {
	const service = {name: 'own', isPractice: false};
	const pulse = {apiMs: 12, linkMs: 640, answeredAt: new Date(2026, 10, 21, 12, 41, 7)};
	const header = (isLineSlow: boolean) => {
		const written = headerLine(theme, 60, service, {...pulse, isLineSlow});
		// oxlint-disable-next-line no-control-regex -- only what is written is compared
		return written.replaceAll(/\u001B\[[\d;]*m/g, '').replaceAll(/ +/g, ' ');
	};
	expect(header(true)).toBe(' rentty own slow line 12:41');
	expect(header(false)).toBe(' rentty own 12:41:07');
});

test('cost and trouble stay in the header, and all else gives way, however narrow it is', () => {
	const service = {name: '127.0.0.1:18732', isPractice: false};
	const pulse = {...noPulse, answeredAt: new Date(2026, 10, 21, 12, 41, 7)};
	const fleet = {
		...noFleetTexts,
		burn: '$4.76/h',
		most: 'max 6.74',
		endless: '4 without an end $0.71/h',
		counts: {running: '● 12', booting: '◐ 4', stopped: '○ 5', watched: '▲ 3', bad: '✖ 2'},
	};
	const header = (width: number) =>
		// oxlint-disable-next-line no-control-regex -- only what is written is compared
		headerLine(theme, width, service, pulse, fleet).replaceAll(/\u001B\[[\d;]*m/g, '');
	expect(header(100)).toMatch(
		/^ rentty  127\.0\.0\.1:18732 · \$4\.76\/h max 6\.74  4 no end \$0\.71\/h +● 12  ◐ 4  ○ 5  ▲ 3  ✖ 2  12:41:07$/,
	);
	expect(header(60)).toBe('127.0.0.1:18732 · $4.76/h  4 no end $0.71/h  ▲ 3  ✖ 2  12:41');
	expect(header(34)).toBe('127.0.0.1:18732 · $4.76/h      ✖ 2');
});
