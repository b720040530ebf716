/** `rentty templates`: the templates that instances are rented with. */
import {plainNumber} from '../renter/text/format.ts';
import type {Template} from '../contract/nouns/templates.ts';
import {type Command, type Context, readNumberOption} from './base/command.ts';
import {exitCodes} from './base/failure.ts';
import {writeRows, type PrintedColumn, refuseUnreadable, warnOfUnreadable} from './base/output.ts';

export const templates: Command = {
	name: 'templates',
	summary: 'list templates',
	takes: '[WORDS…]',
	about: [
		'Lists templates whose name or image has all of the words in it, one’s own first. rentty rent',
		'--template takes the name or the hash.',
	],
	options: {
		mine: {about: 'only those of this account'},
		limit: {value: 'N', about: 'how many at most (default 50)'},
	},
	run,
};

async function run(context: Context): Promise<number> {
	const {words, signal, output, isJson} = context;
	const limit = readNumberOption(context, 'limit', {least: 1, isWhole: true}) ?? 50;
	const client = await context.client();
	const [{templates: all, unreadable}, me] = await Promise.all([
		client.templates.search({}, {signal}),
		client.account.current({signal}).catch(() => undefined),
	]);
	signal.throwIfAborted();
	const isMine = ({creator_id: creator}: Template) => creator !== undefined && creator === me?.id;
	const found = all
		.filter(template => matchesWords(template, words))
		.filter(template => !context.isGiven('mine') || isMine(template))
		.toSorted((a, b) => Number(isMine(b)) - Number(isMine(a)));
	if (all.length === 0) refuseUnreadable(unreadable, 'templates');
	if (found.length === 0) {
		output.say('rentty: No template matches.');
		warnOfUnreadable(output, unreadable, 'templates');
		return exitCodes.notFound;
	}
	const shown = found.slice(0, limit);
	if (isJson) for (const template of shown) output.json(recordOf(template, isMine(template)));
	else writeRows(output, columns(isMine), shown);
	if (found.length > limit) output.say(`rentty: There are ${found.length}: --limit shows more.`);
	warnOfUnreadable(output, unreadable, 'templates');
	return exitCodes.fine;
}

function matchesWords({name, image}: Template, words: readonly string[]): boolean {
	const text = `${name ?? ''} ${image ?? ''}`.toLowerCase();
	return words.every(word => text.includes(word.toLowerCase()));
}

function recordOf(template: Template, isMine: boolean) {
	return {
		hash: template.hash_id || null,
		id: template.id ?? null,
		name: template.name ?? null,
		image: template.image ?? null,
		tag: template.tag ?? null,
		launch: template.runtype ?? null,
		disk_gb: template.recommended_disk_space ?? null,
		is_mine: isMine,
		is_private: template.private ?? null,
		is_recommended: template.recommended ?? null,
	};
}

function columns(isMine: (template: Template) => boolean): ReadonlyArray<PrintedColumn<Template>> {
	return [
		{title: 'HASH', cell: ({hash_id: hash}) => hash || undefined},
		{title: 'NAME', cell: ({name}) => name ?? undefined},
		{title: 'IMAGE', cell: ({image}) => image ?? undefined},
		{title: 'LAUNCH', cell: ({runtype}) => runtype ?? undefined},
		{
			title: 'DISK',
			isNumber: true,
			cell: ({recommended_disk_space: disk}) =>
				typeof disk === 'number' ? `${plainNumber(disk)}G` : undefined,
		},
		{title: 'WHOSE', cell: template => (isMine(template) ? 'mine' : 'others')},
	];
}
