import type {Cap} from '../../contract/grammar/caps.ts';
import type {Grants} from '../../contract/grammar/permissions.ts';

/** Owner that a key acts for: an account, or a single member of a team. */
export type Speaker = {readonly accountId: number; readonly memberId: number | null};

export type ApiKey = Speaker & {
	readonly id: number;
	/** Grants of the key, within the role for a member of a team; undefined for everything. */
	readonly grants: Grants;
	/** Instance of an instance's own key; null for the keys of people. */
	readonly instanceId: number | null;
	readonly kind: AccountKind;
	/** The cap within which the key rents; undefined for none. */
	readonly capped: Capped | undefined;
};

/** A cap, with the key that has it: keys made by that key share it. */
export type Capped = {readonly keyId: number; readonly cap: Cap};

/** Kind of an account. A provider rents its own machines alone; an operator runs the market. */
export type AccountKind = 'renter' | 'provider' | 'both' | 'operator';
