import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {kept} from '../../router.ts';
import {createStore} from '../../../renter/store.ts';
import type {Size} from '../../terminal/terminal.ts';
import {pages, type Page} from './instance-pages.ts';
import {isWide} from './layout.ts';

/** Which page of an instance is open, and how far down; undefined for the one that says most now. */
export type InstanceView = {readonly page: Page | undefined; readonly top: number};

/** It stays with the place, so that coming back finds the same page. */
export const viewAt = kept(() => createStore<InstanceView>({page: undefined, top: 0}));

/** The pages that there is room for: all at once is one of them on a wide screen alone. */
export function pagesWithin(size: Size): readonly Page[] {
	return isWide(size) ? pages : pages.filter(page => page !== 'All');
}

/**
 * The page that was chosen or asked for; else all of it at once, and where there is no room for that,
 * how what runs is entered, and how far all else is.
 */
export function pageFor(
	{page}: InstanceView,
	{wanted, size}: {readonly wanted: Page | undefined; readonly size: Size},
	row: FleetRow | undefined,
): Page {
	const usual = row?.instance.actual_status === 'running' ? 'Connect' : 'Timeline';
	return [page, wanted, 'All' as const].find(isWithin(size)) ?? usual;
}

function isWithin(size: Size) {
	return (page: Page | undefined): page is Page =>
		page !== undefined && pagesWithin(size).includes(page);
}

export function neighbour(page: Page, step: 1 | -1, size: Size): Page {
	const within = pagesWithin(size);
	return within[(within.indexOf(page) + step + within.length) % within.length] ?? page;
}
