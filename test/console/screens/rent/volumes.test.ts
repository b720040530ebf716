import {expect, test} from 'vitest';
import {makeVolume, searchRoom} from '../../../helpers/market/volumes.ts';
import {openTorch} from './open-rent.ts';

/** The form on an offer, and rooms for volumes on its machine and on another. */
async function openWithRooms() {
	const rentty = await openTorch();
	const form = await rentty.openForm();
	const id = Number(/Rent > (\d+)/.exec(form)?.[1]);
	const {machine_id: machine} = await rentty.market.database
		.selectFrom('offers')
		.select('machine_id')
		.where('id', '=', id)
		.executeTakeFirstOrThrow();
	const rooms = await searchRoom(rentty.market, {limit: 1000});
	const roomOn = (isHere: boolean) => {
		const room = rooms.find(({machine_id: there}) => (there === machine) === isHere);
		if (room === undefined) throw new Error('there is no such room');
		return room.id;
	};
	return {
		...rentty,
		here: roomOn(true),
		elsewhere: roomOn(false),
		/** Chooses how a volume is had, by so many presses, and which. */
		async wish(presses: number, volume: number): Promise<void> {
			await rentty.keys('g\t\t\t\t\t\t\t\t\t', ' '.repeat(presses), '\t');
			await rentty.fill(String(volume));
			await rentty.toReview();
			await rentty.keys('\r');
		},
		volumes: async () => rentty.market.database.selectFrom('volumes').selectAll().execute(),
		mounts: async () => rentty.market.database.selectFrom('mounts').selectAll().execute(),
		[Symbol.asyncDispose]: rentty[Symbol.asyncDispose],
	};
}

test('a volume of ones own on the same machine is linked, and the check says that it is there', async () => {
	await using rentty = await openWithRooms();
	const volume = await makeVolume(rentty.market, {id: rentty.here, size: 10});
	await rentty.wish(1, volume);
	await rentty.sees('RENT OFFER');
	rentty.agree();
	await rentty.sees('Rented: instance');
	expect(await rentty.rentals()).toMatchObject([{image: 'a/torch:2.6'}]);
	expect(await rentty.mounts()).toMatchObject([{volume_id: volume, path: '/data'}]);
});

test('a volume on another machine is refused before anything is sent', async () => {
	await using rentty = await openWithRooms();
	const volume = await makeVolume(rentty.market, {id: rentty.elsewhere, size: 10});
	await rentty.wish(1, volume);
	await rentty.sees(
		/Nothing was sent: volume \d+ is on machine \d+, and the offer on machine \d+\./,
	);
	expect(rentty.orders()).toBe(0);
});

test('a volume is made with the instance, of the size that is said', async () => {
	await using rentty = await openWithRooms();
	await rentty.wish(2, rentty.here);
	await rentty.sees('RENT OFFER');
	rentty.agree();
	await rentty.sees('Rented: instance');
	expect(await rentty.volumes()).toMatchObject([{size_gb: 15}]);
});
