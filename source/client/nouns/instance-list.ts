/** Lists of instances, and what they say of those that they leave out. Loads nothing. */
import type {Instance} from '../../contract/instance-record.ts';
import type {Unreadable} from '../../contract/unreadable.ts';

/** Some of the instances that a query finds. */
export type InstancePage = {
	readonly instances: readonly Instance[];
	/** How many there are on all pages; undefined where the service does not say. */
	readonly total: number | undefined;
	/** The token that the next page is after; undefined where this is the last. */
	readonly next: string | undefined;
	/** The records that could not be read. */
	readonly unreadable: Unreadable;
};

/** The instances of the account, as far as they could be read. */
export type InstanceList = {
	readonly instances: readonly Instance[];
	/** How many the service says there are; undefined where it does not say. */
	readonly total: number | undefined;
	/** The records that could not be read. */
	readonly unreadable: Unreadable;
	/** Which of the two calls has answered. */
	readonly way: 'v1' | 'v0';
	/** Whether as many came as the service says there are. v0 names no total that can be relied on. */
	readonly isWhole: boolean;
	/** Why the pages behind these could not be read. */
	readonly problem: Error | undefined;
};

/**
 * Whether a list counts as evidence that an instance it leaves out may be gone. It is no proof: that
 * takes the word of the record as well.
 */
export function canMiss({isWhole, way}: Pick<InstanceList, 'isWhole' | 'way'>): boolean {
	return isWhole || way === 'v0';
}
