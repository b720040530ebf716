/** Somebody who sends datagrams on this machine, and waits for answers. */
import {createSocket, type Socket} from 'node:dgram';
import {once} from 'node:events';
import {expect} from 'vitest';

const HERE = '127.0.0.1';

export async function openDatagramSocket(): Promise<Socket> {
	const socket = createSocket('udp4').bind(0, HERE);
	await once(socket, 'listening');
	return socket;
}

let asked = 0;

/**
 * Sends a word, and again until an answer begins with it: datagrams may be lost. Each question has a
 * number, since answers to an earlier one may come late.
 */
export async function askByDatagram(socket: Socket, port: number, word: string): Promise<string> {
	const heard: string[] = [];
	const listen = (bytes: Buffer) => heard.push(bytes.toString());
	socket.on('message', listen);
	const question = `${word}#${(asked += 1)}`;
	const answer = () => heard.find(one => one.startsWith(`${question} `));
	await expect
		.poll(() => {
			if (answer() === undefined) socket.send(question, port, HERE);
			return answer();
		})
		.toBeDefined();
	socket.off('message', listen);
	return answer()?.replace(question, word) ?? '';
}
