/** The whole screen of keys as lines. */
import type {Unreadable} from '../../../contract/grammar/unreadable.ts';
import {unreadableWords} from '../../../renter/text/unreadable.ts';
import {ruleLine, spread} from '../../ui/chrome.ts';
import {factLines, inHeight, wrapText} from '../../ui/panes.ts';
import {noteRule} from '../../list/lines.ts';
import {abilitiesOf, type Ability, type Check} from '../../../renter/profiles/check.ts';
import {describeSource} from '../../../renter/profiles/profile.ts';
import {targetName, type Target} from '../../../renter/profiles/target.ts';
import {sentence, timeOfDay} from '../../../renter/text/format.ts';
import type {Size} from '../../terminal/terminal.ts';
import {fit, printable} from '../../../renter/text/text-width.ts';
import type {Theme} from '../../ui/theme.ts';
import {unreadNotes} from '../../list/unreadable.ts';
import {fingerprint} from '../../../renter/connect/keys.ts';
import type {KeyRow, SshRow} from './rows.ts';

export type KeysBody = {
	readonly target: Target;
	readonly keyEnd: string | undefined;
	readonly check: Check | undefined;
	/** Heading and rows of the list. */
	readonly list: readonly string[];
	readonly row: KeyRow | undefined;
	/** Instances that a key opens, by its data; undefined while unknown. */
	readonly doors: ReadonlyMap<string, readonly number[]> | undefined;
	/** Parts that the service does not describe or refused: a sentence each. */
	readonly hidden: readonly string[];
	/** Unreadable records of both lists of the account. */
	readonly unreadable: Unreadable;
	readonly theme: Theme;
	readonly size: Size;
};

/**
 * Rows from which the abilities of the key in use, and all details of the selected key, are shown.
 */
const ROOMY_ROWS = 17;

/** Lines above the list and below it, each with its rule, and lines of the list. */
export function heightsIn(rows: number) {
	const [above, below] = rows < ROOMY_ROWS ? [2, 3] : [5, 8];
	return {above, below, list: rows - above - below};
}

export function keysBody(body: KeysBody): readonly string[] {
	const {theme, size, list, hidden} = body;
	const {columns, rows} = size;
	const heights = heightsIn(rows);
	return [
		...inUse(body).slice(0, heights.above - 1),
		ruleLine(theme, columns),
		...inHeight(list, heights.list),
		noteRule(theme, columns, {
			notes: unreadNotes(body.unreadable),
			last: printable(body.row?.name ?? ''),
		}),
		...inHeight(aboutRow(body), heights.below - 2),
		fit(
			hidden.join(' ') || 'Deleting or resetting a key works at once: what uses it gets 401.',
			columns,
		),
	];
}

function inUse({target, keyEnd, check, theme, size}: KeysBody): readonly string[] {
	const {columns} = size;
	const end = keyEnd === undefined || keyEnd === '' ? '' : `..${keyEnd} `;
	const from = target.kind === 'profile' ? `from ${describeSource(target.profile.key)}` : '';
	const at = check === undefined ? 'checking' : `checked ${timeOfDay(new Date(check.at))}`;
	const abilities = check === undefined ? [] : abilitiesOf(check);
	const line = (some: readonly Ability[]) =>
		fit(` ${some.map(({what, can}) => `${what} ${can}`).join(' | ')}`, columns);
	const title = `API KEY IN USE  ${targetName(target)}  ${end}${from}`;
	return [
		theme.style('heading', spread(columns, printable(title), at)),
		line(abilities.filter(({isRead}) => isRead)),
		line(abilities.filter(({isRead}) => !isRead)),
		fit(' ? = never tried. Of a key only the last four characters are ever drawn.', columns),
	];
}

function aboutRow(body: KeysBody): readonly string[] {
	const {row, size} = body;
	if (row === undefined) {
		const unread = unreadableWords(body.unreadable, 'keys');
		const none = 'No key is known here. n makes one, or registers one.';
		return [` ${unread === undefined ? none : sentence(unread)}`];
	}
	if (row.kind === 'ssh') return aboutSsh(row, body);
	const facts = factLines(
		[
			['number', `${row.keyId}${row.isInUse ? ', the one in use here' : ''}`],
			['value', `${row.end}, shown once when it was made`],
		],
		size.columns,
	);
	const may = wrapText(`may do: ${printable(row.type)}`, size.columns - 2);
	return [...facts, ...may.map(line => ` ${line}`)];
}

function aboutSsh(row: SshRow, {doors, unreadable, size}: KeysBody): readonly string[] {
	const opened = doors?.get(row.blob) ?? [];
	const opens =
		doors === undefined ? 'asking' : opened.length === 0 ? 'none that runs now' : opened.join(', ');
	const {local} = row;
	const file = local?.file ?? (local === undefined ? 'not on this machine' : 'in the agent alone');
	return factLines(
		[
			['print', row.blob === '' ? '-' : fingerprint(row.blob)],
			['public half', printable(file)],
			['agent', local?.isInAgent === true ? 'loaded' : 'not loaded'],
			['opens', opens],
			['note', noteOn(row, unreadable)],
		],
		size.columns,
	);
}

function noteOn({isDeleted, keyId}: SshRow, {count}: Unreadable): string {
	if (isDeleted) return 'deleted from the account: it enters nothing that is rented now';
	if (keyId !== undefined) return 'new keys reach new instances only; a VM has no way in later';
	const where = count === 0 ? 'in the account' : 'among the keys of the account that can be read';
	return `not ${where}: n registers it (public half only)`;
}
