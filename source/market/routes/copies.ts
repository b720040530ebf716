import {posix} from 'node:path';
import type {Contract} from '../../contract/index.ts';
import {nameOf} from '../operations/copy-orders.ts';
import {cancelCopies, startCopy} from '../operations/copies.ts';
import {Refusal} from '../refusal.ts';
import type {CopyEnd} from '../store/copies.ts';
import type {Handler} from './handler.ts';
import {noClouds} from './unsupported.ts';

type Calls = Contract['copies'];

export const start: Handler<Calls['start']> = async (
	{body},
	{database, clock, workSignal, caller: {accountId}},
) => {
	const source = {...readEnd(body.src_id), path: readPath(body.src_path, 'src_path')};
	const target = {...readEnd(body.dst_id), path: readPath(body.dst_path, 'dst_path')};
	// Its rights would go over, by which SSH lets nobody in any more.
	if (target.kind === 'instance' && /^\/(?:root)?$/.test(target.path)) {
		throw badArguments('Invalid dst_path.');
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
	// Clients name what they copied into, with its path.
	const named = typeof body.dst_id === 'string' ? body.dst_id.replace(/:.*$/s, '') : body.dst_id;
	const target = readEnd(named);
	for (const host of await cancelCopies(database, {accountId, target, now: clock.now()})) {
		workSignal.send(host);
	}
	return {success: true, msg: `Copies into ${nameOf(target)} were cancelled.`};
};

function readEnd(place: string | number | null | undefined): CopyEnd {
	const word = String(place ?? 'local');
	const [, letter, id] = /^(?:([CV])\.)?(\d{1,15})$/.exec(word) ?? [];
	if (id !== undefined) return {kind: letter === 'V' ? 'volume' : 'instance', id: Number(id)};
	if (word === 'local') {
		throw notSupported(
			'This market copies between instances and volumes: use rentty cp, scp or rsync here.',
		);
	}
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

function notSupported(message: string): Refusal {
	return new Refusal('notSupported', message);
}
