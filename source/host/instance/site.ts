/** Paths of all that a host keeps of an instance. */
import {existsSync} from 'node:fs';
import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {removeTree} from '../machine/trees.ts';

export type Site = {
	/** All of it lies in here. */
	readonly own: string;
	readonly record: string;
	/** Log of its program, where no engine keeps one. */
	readonly log: string;
	/** Host's notes about it. */
	readonly hostLog: string;
};

export function siteOf(folder: string, instanceId: number): Site {
	return siteIn(join(folder, 'instances', String(instanceId)));
}

/** Paths where all of it lies in one folder. */
export function siteIn(own: string): Site {
	const file = (name: string) => join(own, name);
	return {own, record: file('instance.json'), log: file('out.log'), hostLog: file('host.log')};
}

/** The instances of which there is something in a folder. */
export async function instancesIn(folder: string): Promise<readonly number[]> {
	const names = await readdir(join(folder, 'instances')).catch(() => []);
	// Any id that an order can have: what is not found here runs on for ever.
	return names.filter(name => /^\d+$/.test(name) && Number.isSafeInteger(Number(name))).map(Number);
}

/**
 * Removes the files of an instance.
 *
 * @param keepsRecord Whether the record stays, with the API key of the instance.
 */
export async function removeFiles({own, record}: Site, keepsRecord: boolean): Promise<void> {
	if (!keepsRecord) {
		await removeTree(own);
		if (existsSync(own)) throw new Error(`${own} is still there`);
		return;
	}
	for (const file of await filesIn(own)) if (file !== record) await removeTree(file);
}

/** True if only the record of an instance is left. */
export async function hasRecordAlone({own, record}: Site): Promise<boolean> {
	return (await filesIn(own)).every(file => file === record);
}

async function filesIn(folder: string): Promise<readonly string[]> {
	const names = await readdir(folder).catch(() => []);
	return names.map(name => join(folder, name));
}
