/** What a profile says, as names and values. */
import {describeSource} from '../../../renter/profiles/profile.ts';
import type {Environment} from '../../theme.ts';
import {defaultSettings, type Settings} from '../../../renter/settings/default-settings.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {profileOf, type ProfileRow} from './rows.ts';

type Fact = readonly [name: string, value: string];

export function profileFacts(row: ProfileRow, settings: Settings): readonly Fact[] {
	const profile = profileOf(row);
	const own = Object.keys(profile?.settings ?? {});
	const {spend, limits, notify} = settings;
	const facts: readonly Fact[] = [
		['server', printable(row.server)],
		['key', profile === undefined ? row.key : printable(describeSource(profile.key))],
		['mode', row.mode === 'RW' ? 'RW: every change asks' : 'RO: nothing can be changed'],
		['colour', profile?.colour ?? 'none'],
		['own settings', own.length === 0 ? 'none' : printable(own.join(', '))],
	];
	if (!row.isOpen) return facts;
	return [
		...facts,
		['budget', budgetWords('asks over', spend.askOverPerHour, 'asks as always')],
		['', budgetWords('no more than', spend.fleetMaxPerHour, 'no limit in all')],
		['disk', `${settings.diskGb} GB`],
		['stuck after', `${limits.bootMinutes} min of booting`],
		['notify', ['title', ...(notify.bell ? ['bell'] : [])].join(', ')],
	];
}

/** Where a market of this machine keeps its files, and what removes them; empty for every other. */
export function filesNote({files}: ProfileRow, home = ''): string {
	if (files === '') return '';
	const isAtHome = home !== '' && files.startsWith(`${home}/`);
	const where = printable(isAtHome ? `~${files.slice(home.length)}` : files);
	return `Its files are in ${where}; rentty practice reset removes them.`;
}

function budgetWords(does: string, dollars: number | null, otherwise: string): string {
	return dollars === null ? otherwise : `${does} $${dollars}/h`;
}

/** What the command line and the environment say counts before all else, for as long as this runs. */
const variables: Readonly<Record<string, string>> = {
	theme: 'RENTTY_THEME',
	glyphs: 'RENTTY_ASCII',
	colour: 'NO_COLOR',
};

/**
 * Each setting with what says it: the start (a flag or the environment), the profile, the user's
 * file, or nobody. Of a profile that is not open only its own settings are known.
 */
export function settingSources(
	row: ProfileRow,
	settings: Settings,
	environment: Environment,
): readonly Fact[] {
	const own = profileOf(row)?.settings ?? {};
	if (!row.isOpen) {
		const facts = Object.entries(own).map(([name, value]): Fact => [
			name,
			`profile  ${brief(value)}`,
		]);
		return [...facts, ['others', 'as your file says']];
	}
	return Object.entries(settings).map(([name, value]): Fact => {
		const said = environment[variables[name] ?? ''];
		if (said !== undefined && said !== '') return [name, `start  ${brief(said)}`];
		const usual: unknown = Object.entries(defaultSettings).find(([known]) => known === name)?.[1];
		const isUsual = JSON.stringify(value) === JSON.stringify(usual);
		const from = Object.hasOwn(own, name) ? 'profile' : isUsual ? 'default' : 'file';
		return [name, `${from}  ${brief(value)}`];
	});
}

function brief(value: unknown): string {
	const text = JSON.stringify(value) ?? '';
	return printable(text.replaceAll('"', ''));
}
