import {posix} from 'node:path';
import type {Contract} from '../../contract/index.ts';
import {cancelCopies, startCopy} from '../operations/copies.ts';
import {Refusal} from '../refusal.ts';
import type {Handler} from './handler.ts';
import {noClouds} from './unsupported.ts';

type Calls = Contract['copies'];

export const start: Handler<Calls['start']> = async (
	{body},
	{database, clock, workSignal, caller: {accountId}},
) => {
	const source = {id: readInstance(body.src_id), path: readPath(body.src_path, 'src_path')};
	const target = {id: readInstance(body.dst_id), path: readPath(body.dst_path, 'dst_path')};
	// Its rights would go over, by which SSH lets nobody in any more.
	if (/^\/(?:root)?$/.test(target.path)) throw badArguments('Invalid dst_path.');
	if (source.id === target.id) throw badArguments('Source and destination are the same instance.');
	workSignal.send(await startCopy(database, {accountId, source, target, now: clock.now()}));
	return {success: true, msg: 'Remote to Remote copy initiated'};
};

export const cancel: Handler<Calls['cancel']> = async (
	{body},
	{database, clock, workSignal, caller: {accountId}},
) => {
	const target = readInstance(body.dst_id);
	for (const host of await cancelCopies(database, {accountId, target, now: clock.now()})) {
		workSignal.send(host);
	}
	return {success: true, msg: `Copies into instance ${target} were cancelled.`};
};

function readInstance(place: string | number | null | undefined): number {
	const word = String(place ?? 'local');
	const id = /^(?:C\.)?(\d{1,15})$/.exec(word)?.[1];
	if (id !== undefined) return Number(id);
	if (word === 'local') {
		throw notSupported('This market copies between instances: use rentty cp, scp or rsync here.');
	}
	if (/^V\.\d{1,15}$/.test(word)) {
		throw notSupported('Volumes are copied through an instance that has them.');
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
