import {expect, test} from 'vitest';
import {createGate, delayed} from '../../../helpers/services/faults.ts';
import {makeTemplate, openTorch, TORCH} from './open-rent.ts';

const paste = (text: string) => `\u001B[200~${text}\u001B[201~`;

test('a pasted page with line breaks goes into the field, and neither takes the value nor submits the form', async () => {
	await using rentty = await openTorch();
	await rentty.openForm();
	await rentty.keys('g\t\t\r');
	rentty.type(paste('train\ny\r\nd\r'));
	expect(await rentty.sees('train y d')).toContain('Enter take it');
	await rentty.keys('\r');
	await rentty.sees(/label +train y d +YOU/);
	expect(rentty.orders()).toBe(0);
});

test('what is pasted where no field is open presses no button and confirms no review', async () => {
	await using rentty = await openTorch();
	await rentty.openForm();
	rentty.type(paste('\r\ry\r'));
	await rentty.keys('j');
	await rentty.sees('Review and rent');
	await rentty.keys('g');
	await rentty.toReview();
	await rentty.review();
	rentty.pass(1000);
	rentty.type(paste('\ty\ry'));
	await rentty.keys('\t');
	expect(await rentty.sees('> [ Rent ]')).toContain('RENT OFFER');
	expect(rentty.orders()).toBe(0);
});

test('100 kB that are pasted are taken whole, and refused with their length before anything is sent', async () => {
	await using rentty = await openTorch();
	await rentty.openForm();
	await rentty.keys('g\t\t\r');
	rentty.type(paste('x'.repeat(100_000)));
	await rentty.sees('100,000 long');
	await rentty.keys('\r');
	await rentty.toReview();
	await rentty.keys('\r');
	await rentty.sees('Nothing was sent: label has at most 256 characters.');
	expect(rentty.orders()).toBe(0);
});

test('a burst of wide characters and emoji is sent as it was typed', async () => {
	await using rentty = await openTorch();
	await rentty.openForm();
	await rentty.keys('g\t\t');
	rentty.type('\r訓練-👩‍🚀é\r');
	await rentty.sees('訓練-');
	await rentty.toReview();
	await rentty.review();
	rentty.agree();
	await rentty.sees('Rented: instance');
	const {text} = await rentty.market.call('/api/v0/instances/');
	expect(text).toContain('訓練-👩‍🚀é');
});

test('the registry login is nowhere to be seen, neither while it is typed nor in form, review and copy', async () => {
	await using rentty = await openTorch({columns: 140, rows: 40});
	await rentty.openForm();
	await rentty.keys(`g${'\t'.repeat(13)}\r`);
	await rentty.sees('registry');
	await rentty.keys('\t\t\t\t\t\t\r');
	await rentty.sees('> registry');
	rentty.type('-u me -p hunter2secret');
	await rentty.sees('*'.repeat(22));
	await rentty.keys('\r\u000F');
	await rentty.sees('EXACT REQUEST');
	await rentty.keys('q');
	await rentty.toReview();
	await rentty.review();
	expect(rentty.written()).not.toContain('hunter2secret');
	rentty.agree();
	await rentty.sees('Rented: instance');
	expect(await rentty.rentals()).toMatchObject([
		{settings: {image_login: '-u me -p hunter2secret'}},
	]);
});

test('a text is typed on while the template that an undone choice goes back to is read', async () => {
	await using rentty = await openTorch();
	await makeTemplate(rentty.market, {...TORCH, name: 'other'});
	await rentty.openForm();
	await rentty.keys('\u0014');
	await rentty.sees('other');
	await rentty.keys('\u001B[B', '\r');
	await rentty.sees('picked (Ctrl-T)');
	const read = createGate();
	rentty.proxy.next({method: 'GET', path: '/api/v0/template/'}, delayed(read.opened));
	await rentty.keys('\u001B[H', '\u0015', '\t\t', 'train');
	await rentty.sees('train_');
	read.open();
	await rentty.sees(/template {4}torch/);
	await rentty.keys('ing', '\r');
	expect(await rentty.sees(/ing +YOU/)).toContain('training');
});
