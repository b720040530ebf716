import type {Template} from '../../../contract/nouns/templates.ts';
import type {Column} from '../../list/columns.ts';
import {count, duration, gigabytes, known, MISSING} from '../../../renter/text/format.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {fullImage, launch, shortHash, whose} from '../../../renter/templates/templates.ts';

/** Facts that the columns need beside the template: the user, and the time. */
export type Onlooker = {readonly me: number | undefined; readonly now: Date};

type Cells = Pick<Column<Template>, 'cell' | 'sortKey'>;

const text = known(printable);

const words = (cell: (template: Template) => string): Cells => ({
	cell,
	sortKey: template => cell(template).toLowerCase(),
});

type Sketch = Pick<Column<Template>, 'id' | 'title' | 'width' | 'rank'> &
	Cells &
	Partial<Column<Template>>;

const column = (sketch: Sketch): Column<Template> => ({align: 'left', best: 'low', ...sketch});

const named = words(({name}) => text(name));
const pulled = words(template => printable(fullImage(template)));
const started = words(template => printable(launch(template)));
const hashed = words(({hash_id: hash}) => printable(shortHash(hash)));

/** Columns of the list of templates, from left to right. */
export function templateColumns({me, now}: Onlooker): ReadonlyArray<Column<Template>> {
	const owned = words(template => whose(template, me));
	return [
		column({id: 'name', title: 'NAME', width: 19, rank: 0, ...named}),
		column({id: 'image', title: 'IMAGE', width: 22, rank: 2, ...pulled}),
		column({id: 'run', title: 'RUN', width: 5, rank: 3, ...started}),
		column({
			id: 'recommended_disk_space',
			title: 'DISK',
			width: 4,
			rank: 4,
			align: 'right',
			cell: template => gigabytes(template.recommended_disk_space),
			sortKey: template => template.recommended_disk_space ?? undefined,
		}),
		column({id: 'from', title: 'FROM', width: 5, rank: 1, ...owned}),
		column({
			id: 'count_created',
			title: 'USES',
			width: 5,
			rank: 6,
			align: 'right',
			best: 'high',
			cell: template => count(template.count_created),
			sortKey: template => template.count_created ?? undefined,
		}),
		column({
			id: 'recent_create_date',
			title: 'LAST',
			width: 4,
			rank: 5,
			align: 'right',
			best: 'high',
			cell: template => lastUsed(template, now),
			sortKey: template => template.recent_create_date ?? undefined,
		}),
		column({id: 'hash_id', title: 'HASH', width: 6, rank: 7, ...hashed}),
	];
}

/** Age of the last instance made from it; "-" where there never was one. */
export function lastUsed({recent_create_date: at}: Template, now: Date): string {
	if (at === null || at === undefined || at === 0) return MISSING;
	return duration(now.getTime() / 1000 - at);
}
