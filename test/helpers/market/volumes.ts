import * as z from 'zod/mini';
import {contract} from '../../../source/contract/index.ts';
import type {Volume, VolumeOffer} from '../../../source/contract/nouns/volumes.ts';
import type {Database} from '../../../source/market/database/database.ts';
import type {VolumeRow} from '../../../source/market/database/instance-tables.ts';
import {wholeReply, type Reply, type TestMarket} from './market.ts';

type Caller = Pick<TestMarket, 'call'>;

/** Calls an endpoint of volumes with a body. */
export async function callVolumes(
	market: Caller,
	method: string,
	body?: unknown,
	rest = '',
): Promise<Reply> {
	return market.call(`/api/v0/volumes/${rest}`, {
		method,
		body: body === undefined ? null : JSON.stringify(body),
	});
}

/** The room that a search finds. */
export async function searchRoom(
	market: Caller,
	search: unknown = {},
): Promise<readonly VolumeOffer[]> {
	const reply = await callVolumes(market, 'POST', search, 'search/');
	return wholeReply(contract.volumes.search, reply.body).offers;
}

/** The first room that there is. */
export async function anyRoom(market: Caller): Promise<VolumeOffer & {readonly free: number}> {
	const [offer] = await searchRoom(market, {limit: 1, disk_space: {gte: 100}});
	if (offer === undefined) throw new Error('no machine has room');
	return {...offer, free: offer.disk_space ?? 0};
}

/** Makes a volume and answers its number. */
export async function makeVolume(
	market: Caller,
	body: Readonly<Record<string, unknown>>,
): Promise<number> {
	const reply = await callVolumes(market, 'PUT', body);
	return z.parse(z.looseObject({volume_id: z.int()}), reply.body).volume_id;
}

export async function listVolumes(market: Caller, query = ''): Promise<readonly Volume[]> {
	const reply = await callVolumes(market, 'GET', undefined, query);
	return wholeReply(contract.volumes.list, reply.body).volumes;
}

/** The present row of a volume, deleted or not. */
export async function readVolume(database: Database, id: number): Promise<VolumeRow> {
	return database.selectFrom('volumes').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}
