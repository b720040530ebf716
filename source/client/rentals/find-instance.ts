/** Finding out whether an instance is there: that it is gone takes proof. */
import type {Instance} from '../../contract/instance-record.ts';
import {canMiss} from '../nouns/instance-list.ts';
import type {instanceCalls} from '../nouns/instances.ts';
import type {Look} from './shared-lists.ts';

export type Presence =
	| {readonly kind: 'there'; readonly instance: Instance}
	/** The service has no record of it, a list agrees, and both were asked for with a key that saw it. */
	| {readonly kind: 'gone'}
	/** It is not shown; but a list may be behind or cut short, and the key may be another account's. */
	| {readonly kind: 'unlisted'};

export type Wanted = {
	readonly id: number;
	/** The account of this key is known to hold the instance. */
	readonly isOurs?: boolean;
	readonly signal?: AbortSignal | undefined;
};

export type FindInstance = (wanted: Wanted) => Promise<Presence>;

type Tools = {
	readonly look: Look;
	readonly instances: Pick<ReturnType<typeof instanceCalls>, 'show' | 'hasSeen'>;
};

/** Longer lists are many calls: then the record is asked for first. */
const SHORT_LIST = 100;

export function createFinder({look, instances}: Tools): FindInstance {
	let known = 0;

	async function findInList({id, signal}: Wanted) {
		const list = await look(signal);
		known = list.instances.length;
		return {list, instance: list.instances.find(listed => listed.id === id)};
	}

	const findRecord = async ({id, signal}: Wanted) => instances.show(id, {signal, isUrgent: true});

	return async wanted => {
		const isLong = known > SHORT_LIST;
		const early = isLong ? await findRecord(wanted) : undefined;
		if (early !== undefined) return {kind: 'there', instance: early};
		const {list, instance} = await findInList(wanted);
		if (instance !== undefined) return {kind: 'there', instance};
		const late = isLong ? undefined : await findRecord(wanted);
		if (late !== undefined) return {kind: 'there', instance: late};
		const isOurs = wanted.isOurs === true || instances.hasSeen(wanted.id);
		return {kind: isOurs && canMiss(list) ? 'gone' : 'unlisted'};
	};
}
