import type {FleetRow} from '../../fleet/fleet-state.ts';
import {kept} from '../../router.ts';
import {createStore} from '../../store.ts';
import {pages} from './instance-pages.ts';
import type {Page} from './instance-pages.ts';

/** Which page of an instance is open, and how far down; undefined for the one that says most now. */
export type InstanceView = {readonly page: Page | undefined; readonly top: number};

/** It stays with the place, so that coming back finds the same page. */
export const viewAt = kept(() => createStore<InstanceView>({page: undefined, top: 0}));

/** What runs is entered; of all else one wants to know how far it is. */
export function pageFor(
	{page}: InstanceView,
	wanted: Page | undefined,
	row: FleetRow | undefined,
): Page {
	return page ?? wanted ?? (row?.instance.actual_status === 'running' ? 'Connect' : 'Timeline');
}

export function neighbour(page: Page, step: 1 | -1): Page {
	const at = (pages.indexOf(page) + step + pages.length) % pages.length;
	return pages[at] ?? page;
}
