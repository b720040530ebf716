/** Ends what still runs of instances whose agent is no more. */
import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {removeGroups} from './control-groups.ts';
import {closeDisk} from './disk-images.ts';
import {endFamily} from './ending.ts';
import {readRecord} from '../instance/record.ts';
import {siteOf} from '../instance/site.ts';
import {closeVolumes} from './volumes.ts';

/** The instances of which there is something in a folder. */
export async function instancesIn(folder: string): Promise<readonly number[]> {
	const names = await readdir(join(folder, 'instances')).catch(() => []);
	return names.filter(name => /^\d{1,15}$/.test(name)).map(Number);
}

/** Nobody may have the folder meanwhile. */
export async function endLeftovers(folder: string): Promise<void> {
	for (const id of await instancesIn(folder)) {
		const site = siteOf(folder, id);
		const record = await readRecord(site.record);
		if (record !== undefined) {
			await endFamily(record, 0);
			await removeGroups(record.groups);
		}
		await closeDisk(site.disk);
	}
	await closeVolumes(folder);
}
