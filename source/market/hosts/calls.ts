import type {Contract} from '../../contract/index.ts';
import {noteCopy, recordSourceListener} from '../copies/copies.ts';
import {noteHeartbeat} from './heartbeats.ts';
import {publishMachine, withdrawMachine} from '../machines/publish.ts';
import {noteReports} from './reports.ts';
import {waitForWork} from './take-work.ts';
import {Refusal} from '../base/refusal.ts';
import {HEARTBEAT_SECONDS, type ContactTimeouts} from '../lifecycle/contact-rules.ts';
import {machineRecord, machineRecords} from '../machines/record-rules.ts';
import {machinesOf} from '../lifecycle/machines-store.ts';
import {asksOf} from '../offers/store.ts';
import {answerTask} from './store.ts';
import type {Handler} from '../http/handler.ts';
import type {Relays} from '../relay/relays.ts';
import type {RegistryLogins} from '../base/registry-logins.ts';

type Calls = Contract['hosts'];

type Needs = {
	readonly patience: ContactTimeouts;
	readonly registryLogins: RegistryLogins;
	readonly relays: Relays;
};

export const publish: Handler<Calls['publish']> = async (
	{body},
	{database, workSignal, clock, caller: {accountId}},
) => {
	const machine = await publishMachine({database, workSignal}, accountId, body, clock.now());
	return machineRecord(machine, await asksOf(database, accountId, machine.id));
};

export const list: Handler<Calls['list']> = async (_, {database, caller: {accountId}}) => {
	const machines = await machinesOf(database, accountId);
	return {machines: machineRecords(machines, await asksOf(database, accountId))};
};

export const withdraw: Handler<Calls['withdraw']> = async (
	{params: {id}},
	{database, clock, caller: {accountId}},
) => {
	await withdrawMachine(database, {id, accountId}, clock.now());
	return {success: true, msg: `Machine ${id} is offered no longer.`};
};

export const heartbeat: Handler<Calls['heartbeat'], Needs> = async ({body}, context) => {
	const {clock, caller} = context;
	const word = {accountId: caller.accountId, ids: body.machines, now: clock.now()};
	const unknown = await noteHeartbeat(context, {...word, contact: 'heard'});
	const every = {every: HEARTBEAT_SECONDS, unknown: [...unknown]};
	const machines = body.machines.filter(id => !unknown.includes(id));
	const relays = await context.relays.ticketsFor(context.database, {...word, machines});
	return {
		success: true,
		...every,
		...(context.relays.hasOwn && {relay: true}),
		...(relays.length > 0 && {relays: [...relays]}),
	};
};

export const disconnect: Handler<Calls['disconnect'], Needs> = async ({body}, context) => {
	const {clock, caller} = context;
	const word = {accountId: caller.accountId, ids: body.machines, now: clock.now()};
	await noteHeartbeat(context, {...word, contact: 'lost'});
	return {success: true};
};

/** Longest wait of a call, below the idle timeouts of usual proxies. */
const LONGEST_WAIT_SECONDS = 25;

export const takeWork: Handler<Calls['takeWork'], Needs> = async (
	{query: {after, wait = 0, machines, except}},
	{database, workSignal, registryLogins, signal, confirmCaller, caller: {accountId}},
) => {
	const waitMs = Math.min(wait, LONGEST_WAIT_SECONDS) * 1000;
	const share = {machines, except};
	const waiting = {accountId, share, after, waitMs, signal};
	const work = await waitForWork({database, workSignal}, waiting);
	// Work has renters' variables and the keys of instances.
	if (wait > 0) await confirmCaller();
	const tasks = work.tasks.map(task => {
		const login = registryLogins.take(task.image ?? '');
		return login === undefined ? task : {...task, login};
	});
	return {...work, tasks};
};

export const report: Handler<Calls['report'], Needs> = async ({body: {reports}}, context) => {
	const {clock, caller} = context;
	const gone = await noteReports(context, {
		accountId: caller.accountId,
		reports,
		now: clock.now(),
	});
	return {success: true, gone: [...gone]};
};

export const answer: Handler<Calls['answer']> = async (
	{params: {id}, body: {text}},
	{database, caller: {accountId}},
) => {
	if (await answerTask(database, {id, accountId, text})) return {success: true};
	throw new Refusal('noSuchTask', `Your machines have no task ${id} that is to be answered.`);
};

export const reportCopy: Handler<Calls['reportCopy']> = async (
	{params: {id}, body: {public_key: publicKey, message, ended, failed = false, fault}},
	{database, clock, workSignal, caller: {accountId}},
) => {
	const known = {id, hostAccountId: accountId, publicKey, now: clock.now()};
	const hosts = await noteCopy(database, {...known, message, ended, failed, fault});
	for (const host of hosts) workSignal.send(host);
	return {success: true};
};

export const reportCopyDoor: Handler<Calls['reportCopyDoor']> = async (
	{params: {id}, body: {public_key: publicKey, door, problem}},
	{database, clock, workSignal, reachesPrivate, caller: {accountId}},
) => {
	const known = {id, hostAccountId: accountId, publicKey, now: clock.now()};
	const hosts = await recordSourceListener(database, {...known, door, problem, reachesPrivate});
	for (const host of hosts) workSignal.send(host);
	return {success: true};
};
