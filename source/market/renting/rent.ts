/** Renting: an order of an offer makes an instance, or is refused without any change. */
import {randomBytes} from 'node:crypto';
import type {InstanceOrder} from '../../contract/nouns/creation-request.ts';
import type {OfferSearch} from '../../contract/nouns/offer-search.ts';
import {Refusal} from '../base/refusal.ts';
import {readOrderPrice, type Plan, planOf} from './order-rules.ts';
import {readPayer} from '../ledger/accounts-store.ts';
import {type AskRow, findAsk} from '../lifecycle/asks-store.ts';
import {diskMicros, refuseUncovered} from '../ledger/cover.ts';
import type {Database} from '../database/database.ts';
import {countKeys, attachAccountKeys} from '../ssh-keys/store.ts';
import {requestMarkOf} from '../../contract/rules/env.ts';
import type {WorkSignal} from '../base/work-signal.ts';
import {
	isAbsent,
	isExpected,
	isReachable,
	type ContactTimeouts,
} from '../lifecycle/contact-rules.ts';
import {contractEnd} from '../base/contract-end.ts';
import {leaseRow} from '../leases/rules.ts';
import {printSettings} from '../lifecycle/instance-rules.ts';
import {newInstance, newWithoutCapacity, type InstanceState} from '../lifecycle/rules.ts';
import {usableContent} from '../templates/record-rules.ts';
import {refreshOffers} from '../lifecycle/claims-store.ts';
import {findsOffer} from '../offers/offer-finder.ts';
import {findInstanceByRequestMark, insertInstance} from '../lifecycle/instances-store.ts';
import type {Capped} from '../base/api-key.ts';
import {refuseBeyondCap} from '../api-keys/caps.ts';
import {createKey, newKeyValue} from '../api-keys/store.ts';
import {writeLease} from '../leases/store.ts';
import {nextRevision} from '../database/numbering.ts';
import {findSnapshot, type TemplateSnapshot, noteTemplateUse} from '../templates/store.ts';
import {writingOn} from '../database/writing.ts';
import type {Relays} from '../relay/relays.ts';
import {attachVolumes, newVolumesMicros, planVolumes} from './attach.ts';
import {gone, isTaken, notAvailable, refuseOutsideCap, refuseUnfit} from './refusals.ts';
import {refuseTooMany} from '../bounds/bounds.ts';
import {settleMachine, takeGpus} from '../lifecycle/claims.ts';
import {notifyRenter} from '../notifications/notify-renter.ts';
import {orderHash} from '../hosts/take-work.ts';

type Price = ReturnType<typeof readOrderPrice>;

/** @throws Refusal if the account may not rent the offer, or not on these terms */
async function payablePrice(
	database: Database,
	{accountId, plan, order}: Prepared,
	ask: AskRow,
): Promise<Price> {
	const {kind} = await readPayer(database, accountId);
	const isOwn = ask.hostAccountId === accountId;
	if (kind === 'provider' && !isOwn) {
		throw new Refusal(
			'notYours',
			'this offer is not your own: hosts can rent only their own machines',
		);
	}
	refuseUnfit(plan, ask);
	const price = isOwn
		? {...readOrderPrice(order.price, ask), micros: 0}
		: readOrderPrice(order.price, ask);
	if (plan.vm && (await countKeys(database, accountId)) === 0) {
		throw new Refusal(
			'noSshKeyForVm',
			'a VM cannot be entered without an SSH key: register one first',
		);
	}
	return price;
}

type RentServices = {
	readonly database: Database;
	readonly patience: ContactTimeouts;
	readonly workSignal: WorkSignal;
	readonly relays: Relays;
	/** Counts outcomes of rents, if metrics are on. */
	readonly metrics?: {readonly rented: (outcome: 'rented' | 'taken') => void} | undefined;
};

type Rental = {
	readonly askId: number;
	readonly accountId: number;
	readonly order: InstanceOrder;
	readonly capped: Capped | undefined;
	/** Search that found the offer, and must find it still. */
	readonly search?: OfferSearch;
	readonly now: number;
};

type Rented = {
	readonly id: number;
	readonly askId: number;
	/** The instance's own key, which is not kept; null for a repeated request. */
	readonly key: string | null;
};

/** Parsed order with its template, before its offer is read. */
type Prepared = Rental & {
	readonly plan: Plan;
	readonly template: (TemplateSnapshot & {readonly name: string}) | undefined;
};

/** @throws Refusal without any change */
export async function acceptRental(services: RentServices, rental: Rental): Promise<Rented> {
	const {database, workSignal} = services;
	const prepared = await prepare(database, rental);
	// The lock on the account lets the second of two requests see the first one's instance.
	const accounts = [rental.accountId];
	const {hostAccountId, relayed, ...rented} = await writingOn(
		database,
		{offers: [rental.askId], accounts},
		async transaction => accept(transaction, prepared, services),
	).catch((error: unknown) => {
		if (isTaken(error)) services.metrics?.rented('taken');
		throw error;
	});
	if (rented.key === null) return rented;
	services.metrics?.rented('rented');
	await services.relays.open(relayed);
	workSignal.send(hostAccountId);
	return rented;
}

async function prepare(database: Database, rental: Rental): Promise<Prepared> {
	const {order, accountId} = rental;
	const token = randomBytes(32).toString('hex');
	const {templateHash} = order;
	if (templateHash === undefined) {
		return {...rental, plan: planOf(order, undefined, token), template: undefined};
	}
	const snapshot = await findSnapshot(database, templateHash);
	const content = snapshot && usableContent(snapshot, accountId);
	if (snapshot === undefined || content === undefined) {
		throw new Refusal('noSuchTemplate', `there is no template with the hash ${templateHash}`);
	}
	const template = {...snapshot, name: content.name};
	return {...rental, plan: planOf(order, content, token), template};
}

async function accept(
	database: Database,
	prepared: Prepared,
	{patience, relays}: Pick<RentServices, 'patience' | 'relays'>,
) {
	const made = await findMade(database, prepared);
	if (made !== undefined) return made;
	const {askId, accountId, plan, template, order, capped, now} = prepared;
	const ask = await findOffered(database, prepared, patience);
	const price = await payablePrice(database, prepared, ask);
	refuseOutsideCap(prepared, ask);
	const volumes = await planVolumes(database, {
		volumeInfo: plan.volume,
		env: plan.settings.env,
		accountId,
		machineId: ask.machine_id,
		isVm: plan.vm,
		diskGb: plan.diskGb,
		now,
	});
	if (ask.hostAccountId !== accountId) {
		const gpus = plan.target === 'running' ? price.micros : 0;
		const disk = diskMicros(plan.diskGb, ask.storage_cost_micros);
		const addedMicros = gpus + disk + newVolumesMicros(volumes);
		await refuseUncovered(database, {accountId, addedMicros, now}, 'nothing was rented');
	}
	const state = await startingState(database, prepared, {ask, price, patience});
	const {id, key} = await insert(database, prepared, {ask, price, state});
	const relayed = await relays.give(database, {id, machineId: ask.machine_id, now});
	await refuseTooMany(database, 'instance', {accountId, now});
	await attachVolumes(database, volumes, {instanceId: id, now});
	const told = {id, account_id: accountId, label: plan.label, message: state.message};
	await notifyRenter(database, told, 'instance_created', now);
	if (order.lease !== undefined) await writeLease(database, leaseRow(order.lease, id, now));
	if (template !== undefined) await noteTemplateUse(database, {id: template.id, now});
	await refuseBeyondCap(database, {capped, leaseOf: id, now});
	return {id, askId, key, hostAccountId: ask.hostAccountId, relayed};
}

/**
 * The instance of an earlier request with the same idempotency mark: a proxy may repeat a request.
 */
async function findMade(database: Database, {accountId, order}: Prepared) {
	const mark = requestMarkOf(order.env);
	const made =
		mark === undefined ? undefined : await findInstanceByRequestMark(database, {accountId, mark});
	if (made === undefined) return undefined;
	const {id, ask_id: askId, host_account_id: hostAccountId, destroyed_at: endedAt} = made;
	if (endedAt === null) return {id, askId, key: null, hostAccountId, relayed: undefined};
	throw new Refusal(
		'madeBefore',
		`instance ${id} was made for this request before, and is gone: nothing was rented`,
	);
}

type Terms = {readonly ask: AskRow; readonly price: Price};

/** @throws Refusal for an offer that is gone, or that its search does not find any more */
async function findOffered(
	database: Database,
	{askId, plan, search, now}: Prepared,
	patience: ContactTimeouts,
): Promise<AskRow> {
	const ask = await findAsk(database, askId);
	if (ask === undefined || !isOffered(ask, plan, {patience, now})) throw notAvailable(askId);
	if (search === undefined || (await findsOffer(database, search, {id: askId, now}))) return ask;
	throw notAvailable(askId);
}

/** True if an order may try this offer, even if only to get the reason of its refusal. */
function isOffered(
	ask: AskRow,
	{cancelUnavailable}: Plan,
	{patience, now}: {readonly patience: ContactTimeouts; readonly now: number},
): boolean {
	if (ask.listed === 0 || (ask.end_date !== null && ask.end_date <= now)) return false;
	return ask.rentable === 1 || cancelUnavailable || isAbsent(ask, patience, now);
}

/** Takes the GPUs for a start, or leaves the instance stopped if its machine is unreachable. */
async function startingState(
	database: Database,
	{plan, askId, now}: Prepared,
	{ask, price, patience}: Terms & {readonly patience: ContactTimeouts},
): Promise<InstanceState> {
	if (ask.rentable === 0 || isAbsent(ask, patience, now)) throw gone(askId);
	// A first heartbeat must not notify the renter of the machine's return.
	const contact = isExpected(ask, patience) ? 'heard' : ask.contact;
	if (plan.target === 'stopped') return newInstance('stopped', contact);
	if (!isReachable(ask, patience, now)) {
		if (plan.cancelUnavailable) throw gone(askId);
		return newWithoutCapacity(contact);
	}
	const bidMicros = price.isBid ? price.micros : undefined;
	const claim = {machineId: ask.machine_id, gpuMask: ask.gpu_mask, bidMicros};
	if (await takeGpus(database, claim, now)) return newInstance('running', contact);
	throw plan.cancelUnavailable ? gone(askId) : notAvailable(askId);
}

async function insert(
	database: Database,
	{plan, order, template, accountId, askId, capped, now}: Prepared,
	{ask, price, state}: Terms & {readonly state: InstanceState},
): Promise<{readonly id: number; readonly key: string}> {
	const key = newKeyValue();
	const {id} = await insertInstance(database, {
		account_id: accountId,
		ask_id: askId,
		machine_id: ask.machine_id,
		host_account_id: ask.hostAccountId,
		label: plan.label,
		created_at: now,
		end_date: contractEnd(ask.end_date, now),
		destroyed_at: null,
		settings: printSettings(plan.settings),
		order_hash: orderHash(plan.image, plan.settings),
		image: plan.image,
		...templateColumns(template),
		is_bid: price.isBid ? 1 : 0,
		gpu_mask: ask.gpu_mask,
		disk_gb: plan.diskGb,
		gpu_micros: price.micros,
		// An instance on the provider's own machine is free, and its bids yield to all others.
		...(ask.hostAccountId === accountId
			? {storage_micros: 0, up_micros: 0, down_micros: 0}
			: {
					storage_micros: ask.storage_cost_micros,
					up_micros: ask.inet_up_cost_micros ?? 0,
					down_micros: ask.inet_down_cost_micros ?? 0,
				}),
		...state,
		waiting_since: null,
		running_since: null,
		billed_until: now,
		revision: await nextRevision(database, ask.hostAccountId),
		handover: key,
		access: null,
		usage: null,
		mark: requestMarkOf(order.env) ?? null,
		capped_by: capped?.keyId ?? null,
	});
	await createKey(database, {...instanceKey(id), accountId, value: key, capped, now});
	await attachAccountKeys(database, id, accountId);
	// An outbid instance may leave further GPUs that others wait for.
	if (state.current === 'running') await settleMachine(database, ask.machine_id, now);
	else await refreshOffers(database, ask.machine_id, now);
	return {id, key};
}

function templateColumns(template: Prepared['template']) {
	if (template === undefined) return {template_id: null, template_hash: null, template_name: null};
	return {template_id: template.id, template_hash: template.hash, template_name: template.name};
}

/** Key for stopping, starting and destroying a single instance. */
function instanceKey(instanceId: number) {
	const constraints = {id: {eq: instanceId}};
	return {
		name: `instance ${instanceId}`,
		permissions: {api: {instance_write: {'api.instance': {constraints}}}},
		instanceId,
	};
}
