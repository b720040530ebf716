import type {Template} from '../../../contract/nouns/templates.ts';
import type {Column} from '../../list/columns.ts';
import {leastColumn, mostColumn, textColumn} from '../../list/value-columns.ts';
import {count, duration, gigabytes, known, MISSING} from '../../../renter/text/format.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {fullImage, launch, shortHash, whose} from '../../../renter/templates/templates.ts';

/** Facts that the columns need beside the template: the user, and the time. */
export type Onlooker = {readonly me: number | undefined; readonly now: Date};

const text = known(printable);

/** Column of words: ordered without regard to capitals. */
function words(
	sketch: Parameters<typeof textColumn>[0],
	cell: (template: Template) => string,
): Column<Template> {
	return {
		...textColumn(sketch, (template: Template) => cell(template).toLowerCase(), String),
		cell,
	};
}

const created = ({recent_create_date: at}: Template) => at;

/** Columns of the list of templates, from left to right. */
export function templateColumns({me, now}: Onlooker): ReadonlyArray<Column<Template>> {
	return [
		words(['name', 'NAME', 19, 0], ({name}) => text(name)),
		words(['image', 'IMAGE', 22, 2], template => printable(fullImage(template))),
		words(['run', 'RUN', 5, 3], template => printable(launch(template))),
		leastColumn(
			['recommended_disk_space', 'DISK', 4, 4],
			template => template.recommended_disk_space,
			gigabytes,
		),
		words(['from', 'FROM', 5, 1], template => whose(template, me)),
		mostColumn(['count_created', 'USES', 5, 6], template => template.count_created, count),
		{
			...mostColumn(['recent_create_date', 'LAST', 4, 5], created, String),
			cell: template => lastUsed(template, now),
		},
		words(['hash_id', 'HASH', 6, 7], ({hash_id: hash}) => printable(shortHash(hash))),
	];
}

/** Age of the last instance made from it; "-" where there never was one. */
export function lastUsed({recent_create_date: at}: Template, now: Date): string {
	if (at === null || at === undefined || at === 0) return MISSING;
	return duration(now.getTime() / 1000 - at);
}
