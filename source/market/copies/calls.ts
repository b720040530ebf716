import {posix} from 'node:path';
import type {Contract} from '../../contract/index.ts';
import {copyEndName} from './copy-orders.ts';
import {cancelCopies, entranceOf, startCopy} from './copies.ts';
import {noClouds, Refusal} from '../base/refusal.ts';
import type {CopyEnd} from './store.ts';
import type {Handler} from '../http/handler.ts';

type Calls = Contract['copies'];

export const start: Handler<Calls['start']> = async (
	{body},
	{database, clock, workSignal, caller: {accountId}},
) => {
	const source = readSide(body.src_id, body.src_path, 'src_path');
	const target = readSide(body.dst_id, body.dst_path, 'dst_path');
	// A copy sets the folder's rights, and with wrong ones SSH would refuse all keys.
	if (target?.kind === 'instance' && /^\/(?:root)?$/.test(target.path)) {
		throw badArguments('Invalid dst_path.');
	}
	if (source === undefined || target === undefined) {
		const {address, port} = await entranceOf(database, source ?? target, accountId);
		const msg = `Copy with rsync over SSH, by port ${port} of ${address}.`;
		const isFrom = source !== undefined;
		return {
			success: true,
			msg,
			...(isFrom && {src_addr: address, src_port: port}),
			...(!isFrom && {dst_addr: address, dst_port: port}),
		};
	}
	if (source.kind === target.kind && source.id === target.id) {
		throw badArguments(`Source and destination are the same ${source.kind}.`);
	}
	workSignal.send(await startCopy(database, {accountId, source, target, now: clock.now()}));
	return {success: true, msg: 'Remote to Remote copy initiated'};
};

export const cancel: Handler<Calls['cancel']> = async (
	{body},
	{database, clock, workSignal, caller: {accountId}},
) => {
	// Clients name the target with its path.
	const named = typeof body.dst_id === 'string' ? body.dst_id.replace(/:.*$/s, '') : body.dst_id;
	const target = readEnd(named);
	if (target === undefined) throw badArguments('Invalid dst_id.');
	for (const host of await cancelCopies(database, {accountId, target, now: clock.now()})) {
		workSignal.send(host);
	}
	return {success: true, msg: `Copies into ${copyEndName(target)} were cancelled.`};
};

type Place = string | number | null | undefined;

/**
 * An end of a copy with its path; undefined for the caller's own machine, which knows its own
 * paths.
 */
function readSide(place: Place, path: string | null | undefined, name: string) {
	const end = readEnd(place);
	return end && {...end, path: readPath(path, name)};
}

/** An end of a copy; undefined for the caller's own machine. */
function readEnd(place: Place): CopyEnd | undefined {
	const word = String(place ?? 'local');
	const [, letter, id] = /^(?:([CV])\.)?(\d{1,15})$/.exec(word) ?? [];
	if (id !== undefined) return {kind: letter === 'V' ? 'volume' : 'instance', id: Number(id)};
	if (word === 'local' || word === '') return undefined;
	throw noClouds();
}

function readPath(path: string | null | undefined, name: string): string {
	if (typeof path !== 'string' || !path.startsWith('/') || path.includes('\0')) {
		throw badArguments(`Invalid ${name}.`);
	}
	const plain = posix.normalize(path);
	return name === 'dst_path' ? plain.replace(/(?<=.)\/$/, '') : plain;
}

function badArguments(message: string): Refusal {
	return new Refusal('badArguments', message);
}
