/** Table of relays beside the market. */
import type {Generated, GeneratedAlways, Selectable} from 'kysely';
import type {Flag} from './instance-tables.ts';

type RelaysTable = {
	readonly id: GeneratedAlways<number>;
	readonly name: string;
	/** Host name or address that renters are shown. */
	readonly host: string;
	readonly first_port: number;
	readonly last_port: number;
	/** Address to which agents connect. */
	readonly url: string;
	/** Hash of its key. */
	readonly hash: string;
	readonly created_at: number;
	readonly removed_at: Generated<number | null>;
	/** 0 if it takes no new instances. */
	readonly is_open: Generated<Flag>;
	/** Time of its last call; null for none. */
	readonly heard_at: Generated<number | null>;
	/** The relay's own counts, as of its last call. */
	readonly agents: Generated<number>;
	readonly connections: Generated<number>;
	readonly refused: Generated<number>;
	readonly sent: Generated<number>;
	readonly received: Generated<number>;
};

export type RelayTables = {readonly relays: RelaysTable};

export type RelayRow = Selectable<RelaysTable>;
