import * as fc from 'fast-check';
import type {Cell} from './emulator.ts';
import {cut, lines, overlay, snippets, type Rows, type World} from './world.ts';

/** Something that happens to the world. */
export type Step = {readonly name: string; readonly change: (world: World) => World};

export const sizes = fc.record({
	columns: fc.integer({min: 1, max: 24}),
	rows: fc.integer({min: 1, max: 9}),
});

const places = fc.record({row: fc.nat({max: 12}), column: fc.nat({max: 24})});
const boxes = fc.record({
	top: fc.nat({max: 7}),
	left: fc.nat({max: 19}),
	width: fc.integer({min: 1, max: 20}),
	height: fc.integer({min: 1, max: 8}),
});
const screens = fc.array(lines, {maxLength: 10});
const moves = fc.integer({min: -3, max: 3});
const regions = fc.nat({max: 1});

/** The rows of the base, as many as the terminal has. */
function baseOf(world: World): Rows {
	return Array.from({length: world.rows}, (_, row) => world.base[row] ?? []);
}

/** Moves lines up by a number of places, down where it is negative; new ones come in at the end. */
function roll(rows: Rows, by: number, line: readonly Cell[]): Rows {
	const added = Array.from({length: Math.abs(by)}, () => line);
	return by > 0 ? [...rows, ...added].slice(by) : [...added, ...rows].slice(0, rows.length);
}

const draw = screens.map((base): Step => ({name: 'draw', change: world => ({...world, base})}));

const edit = fc.tuple(places, snippets).map(([place, line]): Step => ({
	name: 'edit',
	change(world) {
		const row = place.row % world.rows;
		const column = place.column % world.columns;
		const part = cut(line, 0, Math.min(line.length, world.columns - column));
		const old = cut(world.base[row] ?? [], 0, world.columns);
		return {...world, base: baseOf(world).with(row, overlay(old, column, part))};
	},
}));

const scroll = fc.tuple(places, places, moves, lines).map(([one, other, by, line]): Step => ({
	name: 'scroll',
	change(world) {
		const rows = baseOf(world);
		const first = Math.min(one.row, other.row) % world.rows;
		const end = Math.max(one.row, other.row) + 1;
		const band = roll(rows.slice(first, end), by, line);
		return {...world, base: [...rows.slice(0, first), ...band, ...rows.slice(end)]};
	},
}));

const cutRegions = fc
	.array(boxes, {maxLength: 2})
	.map((list): Step => ({name: 'regions', change: world => ({...world, regions: list})}));

const openDialog = fc
	.option(boxes, {nil: undefined})
	.map((dialog): Step => ({name: 'dialog', change: world => ({...world, dialog})}));

const paint = fc.tuple(regions, screens).map(([region, rows]): Step => ({
	name: 'paint',
	change: world => ({...world, painted: world.painted.with(region, rows)}),
}));

const rollPainted = fc.tuple(regions, moves, lines).map(([region, by, line]): Step => ({
	name: 'roll',
	change(world) {
		const rows = roll(world.painted[region] ?? [], by, line);
		return {...world, painted: world.painted.with(region, rows)};
	},
}));

const resize = sizes.map((size): Step => ({
	name: 'resize',
	change: world => ({...world, ...size}),
}));

const placeCursor = fc
	.option(places, {nil: undefined})
	.map((cursor): Step => ({name: 'cursor', change: world => ({...world, cursor})}));

const spoil = fc.constant<Step>({
	name: 'spoil',
	change: world => ({...world, spoilt: world.spoilt + 1}),
});

export const steps = fc.oneof(
	{weight: 3, arbitrary: draw},
	{weight: 5, arbitrary: edit},
	{weight: 6, arbitrary: scroll},
	{weight: 3, arbitrary: cutRegions},
	{weight: 4, arbitrary: openDialog},
	{weight: 4, arbitrary: paint},
	{weight: 5, arbitrary: rollPainted},
	{weight: 1, arbitrary: resize},
	{weight: 1, arbitrary: placeCursor},
	{weight: 1, arbitrary: spoil},
);
