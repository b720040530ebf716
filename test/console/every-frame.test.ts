import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Destination} from '../../source/console/services/router.ts';
import {openFleetConsole, type FleetConsole} from '../helpers/console/fleet-console.ts';
import {openFleetMarket} from '../helpers/fleet/fleet.ts';
import {openFolder} from '../helpers/folder.ts';

const enter = '\r';

type Steps = ReadonlyArray<readonly [keys: string, seen: RegExp]>;

const offers: Steps = [['1', /33 offers[^]*\n[▌>] /]];
const spending: Steps = [['$', /SPENDING[^]*\n[▌>]/]];

/** Keys that lead to each place from the list of instances, and what each of them shows. */
const places: Readonly<Record<Destination['name'], Steps>> = {
	overview: [['0', /TROUBLE/]],
	offers,
	offer: [...offers, [enter, /Offers > \d+[^]*\n *WHAT YOU PAY/]],
	compare: [
		...offers,
		[' ', /1 marked/],
		['j', /of 33/],
		[' ', /2 marked/],
		['=', /Offers > compare 2/],
	],
	prices: [...offers, ['M', /PRICES OF GPUS[^]*now/]],
	activity: [['5', /\d entr/]],
	rent: [...offers, ['r', /Rent > \d+[^]*template/]],
	instances: [['g', / 1 of 4/]],
	instance: [[enter, /Instances > \d+ /]],
	logs: [
		['*', /4 marked/],
		['l', /LOGS of 4 .*4 not read/],
	],
	health: [['h', /NOT KNOWN/]],
	command: [
		['j', /2 of 4/],
		['j', /3 of 4/],
		['E', /\$> _/],
	],
	output: [
		['j', /2 of 4/],
		['j', /3 of 4/],
		['E', /\$> _/],
		['true', /\$> true_/],
		[enter, /LAST LINE/],
	],
	templates: [['3', /\n[▌>] PyTorch/]],
	template: [
		['3', /\n[▌>] PyTorch/],
		[enter, /Templates > /],
	],
	undo: [['Z', /Nothing can be taken back/]],
	account: spending,
	alerts: [['A', /no new alert/]],
	volumes: [...spending, [enter, /There are no volumes/]],
	increases: [
		[':', /Enter do it/],
		['price incr', /price increases/],
		[enter, /No price increase waits/],
	],
	machines: [['7', /You provide no machines/]],
	keys: [['4', /API KEY IN USE/]],
	profiles: [['6', /\n[▌>] practice/]],
	'profile-edit': [
		['6', /\n[▌>] practice/],
		['n', /Profiles > new/],
	],
	'template-edit': [
		['3', /\n[▌>] PyTorch/],
		['N', /Templates > new/],
	],
};

/** No port answers. */
const probe = async () => new Promise<never>(() => {});

const sizes = [
	[60, 15],
	[80, 24],
	[140, 40],
] as const;

const terminals = [
	{LANG: 'C.UTF-8', TERM: 'xterm-256color'},
	{LANG: 'C.UTF-8', TERM: 'xterm'},
	{LANG: 'C.UTF-8', TERM: 'xterm-256color', NO_COLOR: '1'},
] as const;

type Cell = ReturnType<typeof cellsOf>[number][number];
type Cells = ReadonlyArray<readonly Cell[]>;

function cellsOf({emulator}: FleetConsole) {
	const {active} = emulator.buffer;
	return Array.from({length: emulator.rows}, (_, row) => {
		const line = active.getLine(active.viewportY + row);
		return Array.from({length: emulator.cols}, (__, column) => {
			const cell = line?.getCell(column);
			if (cell === undefined) throw new Error('an emulator lacks a cell');
			return {
				text: cell.getChars() || ' ',
				ground: cell.isBgPalette() ? cell.getBgColor() : undefined,
				ink: cell.isFgPalette() ? cell.getFgColor() : undefined,
				isInverse: cell.isInverse() !== 0,
				isBold: cell.isBold() !== 0,
			};
		});
	});
}

const textOf = (row: readonly Cell[]) => row.map(({text}) => text).join('');
const coloursOf = (cells: Cells) =>
	cells.flat().flatMap(({ground, ink}) => [ground, ink].filter(one => one !== undefined));

/** The words of a row, without moments, and without the marks that stand for a colour where there is none. */
const wordsOf = (row: readonly Cell[]) =>
	textOf(row)
		.replaceAll('▒', '█')
		.replaceAll(/[[\]▌>\d]/g, ' ')
		.replaceAll(/ +/g, ' ');

/** Signs that draw no line where there are better ones; a person's words have none of them either. */
const asciiLines = / \|( |$)|[~#*=]{3}|[|+][~-]{3}/;

/** Rows with a line that ends at another and does not meet it, or that is drawn with letters. */
function brokenLines(cells: Cells): readonly string[] {
	// A box lies over the lines.
	const isRule = (row: number, column: number) =>
		cells[row]?.[column]?.text === '─' && !/[┌└]/.test(textOf(cells[row]));
	const isApart = (row: readonly Cell[], at: number) =>
		row.some(
			({text}, column) => text === '│' && (isRule(at - 1, column) || isRule(at + 1, column)),
		);
	return cells.filter((row, at) => isApart(row, at) || asciiLines.test(textOf(row))).map(textOf);
}

/** Places of the rows under a cursor: by their ground, inverse, or bold behind a sign. */
function cursorsIn(
	cells: Cells,
	isCursor: (first: Cell, next: Cell) => boolean,
): readonly number[] {
	return cells.flatMap(([first, next], at) =>
		first !== undefined && next !== undefined && isCursor(first, next) ? [at] : [],
	);
}

/** Rows that say which terminal it is, and what it has. */
const namesTerminal = /TERM|colours/;

/** What is wrong with the frames of one place and size, in 256 colours, 16 and none. */
function problemsOf([many = [], few = [], none = []]: readonly Cells[]): readonly string[] {
	const unlike = [few, none].flatMap(other =>
		other
			.map(wordsOf)
			.filter((words, at) => words !== wordsOf(many[at] ?? []) && !namesTerminal.test(words)),
	);
	const cursors = [
		cursorsIn(many, (_, {ground}) => ground === 237),
		cursorsIn(few, ({text, ink, isInverse}) => text === '▌' && isInverse && ink === undefined),
		cursorsIn(none, ({text, isBold}) => text === '>' && isBold),
	].map(String);
	return [
		...unlike,
		...(new Set(cursors).size > 1 ? [`cursors at ${cursors.join(' or ')}`] : []),
		...(coloursOf(few).some(colour => colour > 15) ? ['a colour that is none of 16'] : []),
		...(coloursOf(none).length > 0 ? ['a colour where there is to be none'] : []),
		...brokenLines(many),
	];
}

/** Waits until the pane of money has all that comes later than the instances. */
async function becomesWhole(rentty: Awaited<ReturnType<typeof openFleetConsole>>): Promise<void> {
	const frame = async () => {
		await rentty.pass(1);
		return cellsOf(rentty).map(textOf).join('\n');
	};
	await expect.poll(frame).toContain('credit $');
}

test.for(Object.entries(places))(
	'the frames of %s say the same in 256 colours, 16 and none at each size, and their lines meet',
	async ([, steps]) => {
		await using market = await openFleetMarket();
		using folder = openFolder();
		const knownHosts = join(folder.path, 'known_hosts');
		const ssh = {home: folder.path, folder: folder.path, knownHosts, probe};
		for (const [columns, rows] of sizes) {
			await using stack = new AsyncDisposableStack();
			const consoles = await Promise.all(
				terminals.map(async environment => {
					const rentty = stack.use(
						await openFleetConsole(market, {columns, rows, environment, ssh}),
					);
					// What is behind a box stays as it was when that opened.
					if (columns >= 140) await becomesWhole(rentty);
					for (const [keys, seen] of steps) {
						rentty.type(keys);
						await rentty.reads(seen);
					}
					return rentty;
				}),
			);
			const problems = async () => {
				// What is asked for comes to each of them at a time of its own.
				await Promise.all(consoles.map(async rentty => rentty.pass(1)));
				return problemsOf(consoles.map(cellsOf));
			};
			await expect.poll(problems).toEqual([]);
		}
	},
);
