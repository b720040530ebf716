/** Templates in the list's form: owner, launch mode, and last use. */
import {parseEnv, type Env} from '../../contract/rules/env.ts';
import {launchFields, tagOf} from '../../contract/nouns/template-content.ts';
import type {Template} from '../../contract/nouns/templates.ts';
import {lower} from '../../contract/grammar/filter-match.ts';
import type {Settings} from '../settings/default-settings.ts';
import {median, type FleetState} from '../fleet/fleet-state.ts';
import {duration, MISSING} from '../text/format.ts';

export type Uses = {
	/** Count of rented instances of exactly this version. */
	readonly instances: number;
	/** Observed boots of its image, and the usual boot time. */
	readonly boots: number;
	readonly usualMs: number | undefined;
	/** True if rents use it by default. */
	readonly isUsual: boolean;
	/** Lease of rentals with it; undefined if the user has set none. */
	readonly ends: string | undefined;
};

const unused: Uses = {instances: 0, boots: 0, usualMs: undefined, isUsual: false, ends: undefined};

export function usesOf(
	template: Template | undefined,
	{rows, boots}: Pick<FleetState, 'rows' | 'boots'>,
	{templateHash, templateLeases}: Pick<Settings, 'templateHash' | 'templateLeases'>,
): Uses {
	if (template === undefined) return unused;
	const {hash_id: hash} = template;
	const times = boots[`image ${fullImage(template)}`] ?? [];
	return {
		instances: rows.filter(({instance}) => instance.template_hash_id === hash).length,
		boots: times.length,
		usualMs: median(times),
		isUsual: templateHash === hash,
		ends: templateLeases[hash],
	};
}

/** The same as words; none if there is nothing to say. */
export function usesTexts({instances, boots, usualMs, isUsual, ends}: Uses): readonly string[] {
	return [
		...(isUsual ? ['your usual one'] : []),
		...(ends === undefined ? [] : [`rentals end: ${ends}`]),
		...(instances === 0 ? [] : [instances === 1 ? '1 instance' : `${instances} instances`]),
		...(usualMs === undefined
			? []
			: [`${boots === 1 ? '1 boot' : `${boots} boots`}, usually ${duration(usualMs / 1000)}`]),
	];
}

/** Number of a template; without one, a number made of its hash. */
export function idOf({id, hash_id: hash}: Template): number {
	if (typeof id === 'number') return id;
	const number = Number.parseInt(hash.slice(0, 12), 16);
	return Number.isNaN(number) ? -1 : -number;
}

/** Source of a template: the user, the market's recommendations, or another account. */
type TemplateOrigin = 'mine' | 'market' | 'other';

export function templateOriginOf(
	{creator_id: creator, recommended}: Template,
	me: number | undefined,
): TemplateOrigin {
	if (me !== undefined && creator === me) return 'mine';
	return recommended === true ? 'market' : 'other';
}

/** The image with its tag, as it is pulled. */
export function fullImage({image, tag}: Template): string {
	if (typeof image !== 'string') return '-';
	return tagOf(image) !== undefined || typeof tag !== 'string' || tag === ''
		? image
		: `${image}:${tag}`;
}

/** Access to instances of a template: SSH or Jupyter, direct or through a proxy, or none. */
export function launch(template: Template): string {
	const {runtype, ssh_direct: ssh, jup_direct: jupyter} = {...template, ...launchFields(template)};
	if (typeof runtype !== 'string') return '-';
	if (runtype === 'ssh') return ssh === true ? 'ssh d' : 'ssh p';
	if (runtype === 'jupyter') return jupyter === true ? 'jup d' : 'jup p';
	return runtype;
}

/** The end of a hash, enough to distinguish two of them. */
export function shortHash(hash: string): string {
	return hash === '' ? MISSING : `..${hash.slice(-4)}`;
}

export function templateEnvOf({env}: Template): Env {
	return typeof env === 'string' ? parseEnv(env) : [];
}

/** The user's own first, then the last used. */
export function lastUsedFirst(
	templates: readonly Template[],
	me: number | undefined,
): readonly Template[] {
	const rank = (template: Template) => (templateOriginOf(template, me) === 'mine' ? 0 : 1);
	return templates.toSorted(
		(a, b) => rank(a) - rank(b) || (b.recent_create_date ?? 0) - (a.recent_create_date ?? 0),
	);
}

/** Templates whose name, image or description has all the words in it. */
export function withTexts(
	templates: readonly Template[],
	texts: readonly string[],
): readonly Template[] {
	if (texts.length === 0) return templates;
	const wanted = texts.map(lower);
	return templates.filter(({name, image, desc}) => {
		const text = lower(`${name ?? ''} ${image ?? ''} ${desc ?? ''}`);
		return wanted.every(word => text.includes(word));
	});
}
