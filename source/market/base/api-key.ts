import type {Grants} from '../../contract/grammar/permissions.ts';

/** Whom a key speaks for: an account, or one member of a team and nobody else of it. */
export type Speaker = {readonly accountId: number; readonly memberId: number | null};

/** An API key in use. */
export type ApiKey = Speaker & {
	readonly id: number;
	/** All that a call with it may do, for a member of a team no more than the role; undefined for everything. */
	readonly grants: Grants;
	/** The instance whose own key it is; null for the keys of people. */
	readonly instanceId: number | null;
	/** Kind of the key's account. */
	readonly kind: AccountKind;
};

/** Kind of an account. A provider rents its own machines alone; an operator runs the market. */
export type AccountKind = 'renter' | 'provider' | 'both' | 'operator';
