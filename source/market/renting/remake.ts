/** Giving an instance another image, template or environment. */
import type {Remake} from '../../contract/nouns/creation-request.ts';
import {Refusal} from '../base/refusal.ts';
import {printSettings, readInstanceSettings} from '../lifecycle/instance-rules.ts';
import {remade} from './order-rules.ts';
import {usableContent} from '../templates/record-rules.ts';
import type {Database} from '../database/database.ts';
import type {InstanceRow} from '../database/instance-tables.ts';
import {updateInstance} from '../lifecycle/instances-store.ts';
import {findPresentSnapshot, findSnapshot} from '../templates/store.ts';
import {changeInstance} from '../lifecycle/change.ts';
import {orderHash} from '../hosts/take-work.ts';

/**
 * Changes the image, template or settings of an instance. A running one is recreated at once, any
 * other at its next start. Call it in a transaction, and signal its host afterwards.
 *
 * @throws Refusal for a missing template, or contradicting settings
 */
export async function remakeInstance(
	database: Database,
	row: InstanceRow,
	remake: Remake,
	now: number,
): Promise<void> {
	const template = await templateOf(database, row, remake);
	const before = {image: row.image, settings: readInstanceSettings(row.settings)};
	const {image, settings} = remade(before, remake, template?.content);
	const changed = await updateInstance(database, row.id, {
		image,
		settings: printSettings(settings),
		order_hash: orderHash(image, settings),
		...template?.columns,
	});
	if (row.current === 'running') await changeInstance(database, changed, {kind: 'recycle'}, now);
	else {
		// Another boot makes reports about the present container late.
		const [boot, container] = [row.boot + 1, row.container + 1];
		await updateInstance(database, row.id, {boot, container, bytes_up: 0, bytes_down: 0});
	}
}

async function templateOf(
	database: Database,
	{account_id}: InstanceRow,
	{templateId, templateHash}: Remake,
) {
	if (templateId === undefined && templateHash === undefined) return undefined;
	const snapshot =
		templateHash === undefined
			? await findPresentSnapshot(database, templateId ?? 0)
			: await findSnapshot(database, templateHash);
	const content = snapshot && usableContent(snapshot, account_id);
	if (snapshot === undefined || content === undefined) {
		throw new Refusal('noSuchTemplate', `There is no template ${templateHash ?? templateId}.`);
	}
	const {id, hash} = snapshot;
	return {content, columns: {template_id: id, template_hash: hash, template_name: content.name}};
}
