import {createSocket} from 'node:dgram';
import {once} from 'node:events';
import {PassThrough, Writable} from 'node:stream';
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {createDatagramReader, writeDatagram} from '../../../source/host/sandbox/datagram-frames.ts';
import {publishPorts} from '../../../source/host/sandbox/network-calls.ts';
import {askByDatagram, openDatagramSocket} from '../../helpers/host/datagrams.ts';
import {openNetworkRelay} from '../../helpers/host/network-relay.ts';

const HERE = '127.0.0.1';

/** Port inside that an answer names. */
const insidePortOf = (said: string) => Number(said.split(' ')[1]);

/** An instance's program that says to each who sends what it got from which port. */
async function openEcho() {
	const socket = await openDatagramSocket();
	socket.on('message', (bytes, {port}) => socket.send(`${bytes.toString()} ${port}`, port, HERE));
	return {port: socket.address().port, [Symbol.dispose]: () => void socket.close()};
}

test('each who sends to a UDP port is answered, by a port of its own inside', async () => {
	await using relay = await openNetworkRelay();
	using echo = await openEcho();
	const wanted = [{inside: echo.port, protocol: 'udp' as const, outside: 0}];
	const published = await publishPorts({address: HERE, ...relay.calls}, wanted);
	const [[name, port] = ['', 0]] = published.ports;
	expect(name).toBe(`${echo.port}/udp`);
	const [one, other] = [await openDatagramSocket(), await openDatagramSocket()];
	const [first, second] = [
		await askByDatagram(one, port, 'first'),
		await askByDatagram(other, port, 'second'),
	];
	expect(insidePortOf(first)).not.toBe(insidePortOf(second));
	// Whoever was answered stays who it was.
	expect(insidePortOf(await askByDatagram(one, port, 'again'))).toBe(insidePortOf(first));
	const held = relay.files();
	published.close();
	await expect.poll(relay.files).toBeLessThan(held - 1);
	one.close();
	other.close();
});

test('a port at which nothing listens yet is reached as soon as something does', async () => {
	await using relay = await openNetworkRelay();
	const free = await openDatagramSocket();
	const inside = free.address().port;
	free.close();
	await once(free, 'close');
	const wanted = [{inside, protocol: 'udp' as const, outside: 0}];
	const published = await publishPorts({address: HERE, ...relay.calls}, wanted);
	const [[, port] = ['', 0]] = published.ports;
	const socket = await openDatagramSocket();
	socket.send('early', port, HERE);
	const late = createSocket('udp4').bind(inside, HERE);
	await once(late, 'listening');
	late.on('message', (bytes, from) => late.send(`${bytes.toString()} late`, from.port, HERE));
	expect(await askByDatagram(socket, port, 'word')).toBe('word late');
	published.close();
	late.close();
	socket.close();
});

test('datagrams come out of a stream as they went in, wherever it is cut', () => {
	fc.assert(
		fc.property(
			fc.array(fc.uint8Array({maxLength: 300}), {maxLength: 20}),
			fc.array(fc.integer({min: 1, max: 50}), {minLength: 1}),
			(datagrams, cuts) => {
				const written: Buffer[] = [];
				const stream = new Writable({
					write(bytes: Buffer, _, done) {
						written.push(bytes);
						done();
					},
				});
				for (const datagram of datagrams) writeDatagram(stream, datagram);
				const bytes = Buffer.concat(written);
				const read = createDatagramReader();
				const out: Buffer[] = [];
				for (let from = 0, index = 0; from < bytes.length; index++) {
					const length = cuts[index % cuts.length] ?? 1;
					out.push(...read(bytes.subarray(from, from + length)));
					from += length;
				}
				expect(out.map(one => one.toString('hex'))).toEqual(
					datagrams.map(one => Buffer.from(one).toString('hex')),
				);
			},
		),
	);
});

test('datagrams that nobody reads are lost, and not kept', () => {
	const stream = new PassThrough();
	for (let count = 0; count < 10_000; count++) writeDatagram(stream, Buffer.alloc(1000));
	expect(stream.writableLength).toBeLessThan(300_000);
});
