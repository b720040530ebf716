/** All that is known of one thing that happened. */
import {wrapText} from '../../components/wrap.ts';
import {MISSING, money, timeOfDay} from '../../../renter/format.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {factLine} from './columns.ts';
import {words} from './happenings.ts';
import type {Happening} from './happenings.ts';

export function detailLines(happening: Happening, width: number): readonly string[] {
	const {what, subject, price, source, at} = happening;
	const line = (name: string, value: string) => factLine(name, value, width);
	const about = [
		line('when', `${new Date(at).toISOString().slice(0, 10)} ${timeOfDay(new Date(at))}`),
		line('what', what),
		line('about', subject || MISSING),
	];
	if (source.kind === 'seen') {
		return [...about, line('was', source.event.from ?? MISSING), line('became', source.event.to)];
	}
	const {wish, answers} = source.entry;
	return [
		...about,
		line('price', price === undefined ? MISSING : money(price)),
		line('profile', printable(wish.profile ?? MISSING)),
		line('request', printable(wish.request)),
		line('asked for', printable(wish.action)),
		'',
		...(answers.length === 0 ? [line('', 'No answer was written down.')] : []),
		...answers.flatMap(({at: when, outcome, status, instance, says}) => [
			line(
				timeOfDay(new Date(when)),
				[
					words[outcome],
					...(status === undefined ? [] : [`HTTP ${status}`]),
					...(instance === undefined ? [] : [`instance ${instance}`]),
				].join(', '),
			),
			...(says === undefined ? [] : saidLines(says, width)),
		]),
	];
}

/** What a service said, which is often longer than a line. */
function saidLines(text: string, width: number): readonly string[] {
	return wrapText(printable(text), Math.max(10, width - 14)).map(part => factLine('', part, width));
}

/** The same as one line of JSON, to be copied. */
export function jsonOf({source}: Happening): string {
	return JSON.stringify(source.kind === 'change' ? source.entry : source.event);
}
