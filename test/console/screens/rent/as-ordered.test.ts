import {expect, test} from 'vitest';
import {keepKeysIn} from '../../../../source/renter/nouns/instance-keys.ts';
import {openFolder} from '../../../helpers/folder.ts';
import {misdeliver} from '../../../helpers/services/other-records.ts';
import {openTorch} from './open-rent.ts';

/** Rents from a service that delivers something else than was ordered. */
async function rentOther(fields: Readonly<Record<string, unknown>>, options = {}) {
	const rentty = await openTorch(options);
	misdeliver(rentty.proxy, fields);
	await rentty.openForm();
	await rentty.review();
	rentty.agree();
	if ('keepKey' in options) await rentty.sees('Rented: instance');
	else await rentty.leaveKey();
	await rentty.sees('Instances > 1');
	return rentty;
}

test('differences are said at once, and stay on the page of the instance, x beside them', async () => {
	await using rentty = await rentOther({disk_space: 20});
	const landed = await rentty.sees('! Not as ordered');
	expect(landed).toMatch(
		/Instances > 1[^]*! Not as ordered: disk 20 GB instead of 40 GB\. It costs \$[\d.]+\/h\. x destroys/,
	);
	await rentty.keys('j', ']', ']', ']');
	expect(await rentty.sees('[JSON]')).toContain('! Not as ordered: disk 20 GB');
	await rentty.keys('2');
	await rentty.sees('1 of 1');
	await rentty.keys('R', '\r');
	await rentty.sees(/Instances > 1[^]*! Not as ordered: disk 20 GB instead of 40 GB\./);
	await rentty.keys('x');
	await rentty.sees(/Destroy/);
});

test('where its own key is kept in a file, the foot says all of it', async () => {
	using folder = openFolder();
	const keepKey = keepKeysIn(folder.path, 'a/service');
	const settings = {keepInstanceKeys: true};
	await using rentty = await rentOther({disk_space: 20}, {keepKey, settings, columns: 200});
	await rentty.sees(
		/Rented: instance 1\. Not as ordered: disk 20 GB instead of 40 GB\. It costs \$[\d.]+\/h\. x destroys it\. Its own key is kept in/,
	);
});

test('the list says beside an instance that it is not as ordered, and below it how', async () => {
	await using rentty = await rentOther({disk_space: 20}, {columns: 140, rows: 40});
	await rentty.keys('2');
	await rentty.sees('! Not as ordered: disk 20 GB instead of 40 GB');
	expect(await rentty.sees(/ 1 of 1/)).toMatch(/^>.! .*provisioning/m);
	await rentty.keys('i', 'i', 'i');
	await rentty.sees(/provisioning.* not as ordered/);
});

test('on a narrow screen the line below the list says it', async () => {
	await using rentty = await rentOther({disk_space: 20}, {columns: 60, rows: 20});
	await rentty.keys('2');
	await rentty.sees('! Not as ordered: disk 20 GB');
});

test('an instance as ordered is not spoken of', async () => {
	await using rentty = await rentOther({});
	expect(await rentty.sees('[2 Instances')).not.toContain('s ordered');
});
