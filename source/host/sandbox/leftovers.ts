/** Ends what still runs of instances whose agent is no more. */
import {removeGroups} from './control-groups.ts';
import {closeDisk} from './disk-images.ts';
import {endFamily} from './ending.ts';
import {diskOf} from './folders.ts';
import {readRecord} from '../instance/record.ts';
import {instancesIn, siteOf} from '../instance/site.ts';
import {closeVolumes} from './volumes.ts';

/** Nobody may have the folder meanwhile. */
export async function endLeftovers(folder: string): Promise<void> {
	for (const id of await instancesIn(folder)) {
		const site = siteOf(folder, id);
		const record = await readRecord(site.record);
		if (record !== undefined) {
			await endFamily(record, 0);
			await removeGroups(record.groups);
		}
		await closeDisk(diskOf(site));
	}
	await closeVolumes(folder);
}
