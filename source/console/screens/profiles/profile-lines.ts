/** What a profile says, as names and values. */
import {describeSource} from '../../profiles/profile.ts';
import type {Settings} from '../../default-settings.ts';
import {defaultSettings} from '../../default-settings.ts';
import {printable} from '../../terminal/output/text-width.ts';
import {profileOf} from './rows.ts';
import type {ProfileRow} from './rows.ts';

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
		['spend guard', `ask over ${perHour(spend.askOverPerHour)}`],
		['', `stop at ${perHour(spend.fleetMaxPerHour)} in all`],
		['disk', `${settings.diskGb} GB`],
		['stuck after', `${limits.bootMinutes} min of booting`],
		['notify', ['title', ...(notify.bell ? ['bell'] : [])].join(', ')],
	];
}

function perHour(dollars: number | null): string {
	return dollars === null ? 'nothing' : `$${dollars}/h`;
}

/** Each setting with the nearest thing that says it: the profile, the user's file, or nobody. */
export function settingSources(row: ProfileRow, settings: Settings): readonly Fact[] {
	const own = profileOf(row)?.settings ?? {};
	return Object.entries(settings).map(([name, value]): Fact => {
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
