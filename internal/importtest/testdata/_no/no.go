package no
