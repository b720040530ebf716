/** Templates as the list shows them: whose they are, how they start, when they were last used. */
import {parseEnv, type Env} from '../../contract/env.ts';
import {launchFields, tagOf} from '../../contract/template-content.ts';
import type {Template} from '../../contract/templates.ts';
import {lower} from '../../contract/filter-match.ts';

/** Its number, and where a service sends none, one made of its hash. */
export function idOf({id, hash_id: hash}: Template): number {
	if (typeof id === 'number') return id;
	const number = Number.parseInt(hash.slice(0, 12), 16);
	return Number.isNaN(number) ? -1 : -number;
}

export type Whose = 'mine' | 'reco' | 'other';

export function whose({creator_id: creator, recommended}: Template, me: number | undefined): Whose {
	if (me !== undefined && creator === me) return 'mine';
	return recommended === true ? 'reco' : 'other';
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

/** The end of a hash, by which people tell two of them apart. */
export function shortHash(hash: string): string {
	return `..${hash.slice(-4)}`;
}

export function envOf({env}: Template): Env {
	return typeof env === 'string' ? parseEnv(env) : [];
}

/** The user's own first, then what was used last. */
export function lastUsedFirst(
	templates: readonly Template[],
	me: number | undefined,
): readonly Template[] {
	const rank = (template: Template) => (whose(template, me) === 'mine' ? 0 : 1);
	return templates.toSorted(
		(a, b) => rank(a) - rank(b) || (b.recent_create_date ?? 0) - (a.recent_create_date ?? 0),
	);
}

/** Those whose name, image or description has all the words in it. */
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
