import {createTable} from '../../components/table.ts';
import {kept} from '../../router.ts';
import type {Place} from '../../router.ts';
import {offerColumns} from './columns.ts';

/** The list's state stays with its place, so that coming back finds it as it was. */
export const tableAt = kept(() => createTable(offerColumns, offer => offer.id));

/** The list that a place was come from. */
export function listBehind(stack: readonly Place[]): ReturnType<typeof tableAt> | undefined {
	const place = stack.findLast(({destination}) => destination.name === 'offers');
	return place === undefined ? undefined : tableAt(place);
}
