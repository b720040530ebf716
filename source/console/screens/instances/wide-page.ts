/** All facts of an instance at once, side by side, for large screens. */
import {beside} from '../../ui/panes.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {fit} from '../../../renter/text/text-width.ts';
import {unstyled, type Meaning, type Theme} from '../../ui/theme.ts';
import {sentenceLines, timelineLines, bootBar} from './band.ts';
import {transferLines, wayLines, type ConnectView} from './connecting.ts';
import {costLines, portLines, specLines, usageFactLines} from './instance-pages.ts';
import {isEndlessInstance, confirmation} from '../../../renter/leases/held.ts';
import {endsSentence, enforcerLines, isEndMissed, type EnforcerAnswers} from './ends.ts';
import {openPorts} from '../../../renter/connect/ports.ts';

type Section = {
	readonly title: string;
	/** A note beside the title. */
	readonly note?: string;
	readonly noteMeaning?: Meaning;
	readonly lines: readonly string[];
};

type WideView = ConnectView & {
	/** Enforcers of the lease; undefined until they answer. */
	readonly answers: EnforcerAnswers | undefined;
};

type Paper = {readonly theme: Theme; readonly width: number};

const RIGHT = 50;
/** The columns of the rule between the two sides. */
const RULE = 3;
/** More ports than these have a page of their own. */
const MOST_PORTS = 6;

export function wideLines(row: FleetRow, view: WideView, {theme, width}: Paper): readonly string[] {
	const leftWidth = width - RIGHT - RULE;
	const listed = (list: readonly Section[], columns: number) =>
		list
			.filter(({lines}) => lines.length > 0)
			.flatMap(section => sectionLines(section, theme, columns))
			.slice(0, -1);
	const left = listed(leftSections(row, view, {theme, width: leftWidth}), leftWidth);
	const right = listed(rightSections(row, RIGHT), RIGHT);
	return beside(left, right, {leftWidth, height: Math.max(left.length, right.length)});
}

function sectionLines(section: Section, theme: Theme, width: number) {
	const {title, note = '', noteMeaning = 'plain', lines} = section;
	const aside = theme.style(noteMeaning, fit(`  ${note}`, width - title.length));
	return [theme.style('heading', title) + aside, ...lines.map(line => fitPlain(line, width)), ''];
}

/** A styled line fits already. */
function fitPlain(line: string, width: number): string {
	return line === unstyled(line) ? fit(line, width) : line;
}

function leftSections(row: FleetRow, view: WideView, {theme, width}: Paper): readonly Section[] {
	const copies = transferLines(row, view, width);
	const hasPorts = openPorts(row.instance).length > 0;
	return [
		{
			title: 'CONNECT',
			note: copies.length === 0 ? '' : `s enters it, y copies; a names it "${view.sshName}"`,
			lines: wayLines(row, view, width),
		},
		{
			title: 'PORTS',
			note: hasPorts ? 'f forwards them' : '',
			lines: withEnd(portLines(row, width), MOST_PORTS),
		},
		{title: 'TRANSFER', note: 't copies such a command, nothing is run', lines: copies},
		{
			title: 'ENDS',
			note: endsSentence(row),
			noteMeaning: isEndMissed(row) ? 'danger' : 'plain',
			lines: isEndlessInstance(row.instance) ? mayEndLines(view.answers) : whoLines(view.answers),
		},
		{
			title: 'TIMELINE',
			lines: [
				...timelineLines(row, width).slice(2),
				...bootBar(row, {theme, width}),
				...sentenceLines(row, width - 1).map(line => fit(` ${line}`, width)),
			],
		},
	];
}

/** Enforcers that may still end an instance without a lease. */
function mayEndLines(answers: EnforcerAnswers | undefined): readonly string[] {
	return answers !== undefined && 'enforcers' in answers ? whoLines(answers) : [];
}

/** Enforcers without their limits, which only their own page has space for. */
function whoLines(answers: EnforcerAnswers | undefined): readonly string[] {
	if (answers === undefined || 'problem' in answers)
		return enforcerLines(answers, 0).map(line => ` ${line}`);
	return answers.enforcers.map(one => ` ${confirmation(one)}`);
}

/** Lines cut to a count, the last one with the number of the others. */
function withEnd(lines: readonly string[], most: number): readonly string[] {
	const more = lines.length - most + 1;
	return lines.length <= most ? lines : [...lines.slice(0, most - 1), ` and ${more} more`];
}

function rightSections(row: FleetRow, width: number): readonly Section[] {
	return [
		{title: 'USAGE', lines: usageFactLines(row, width)},
		{title: 'COST', lines: costLines(row, width)},
		{title: 'SPEC', lines: specLines(row, width)},
	];
}
